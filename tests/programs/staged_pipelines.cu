// SPDX-License-Identifier: Apache-2.0
//
// Pipelines of asynchronous copies: of a block whose threads all copy and compute, of a block with producers and
// consumers, of single threads, and the functions and the class that came before cuda::pipeline.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/annotated_ptr>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include "common.h"

#ifdef __CUDACC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

namespace cg = cooperative_groups;

constexpr int kTile = 64;

// What every kernel computes of its tiles: result = result * 5 + the tile's element from the other end.
__host__ __device__ int step(int result, int value)
{
    return (result * 5 + value) & 0xfffff;
}

template <int kStages>
__global__ void unified(const int *in, int *out, int tiles)
{
    __shared__ alignas(16) int ring[kStages][kTile];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int result = 0;
    for (int next = 0, tile = 0; tile < tiles; ++tile) {
        for (; next < tiles && next < tile + kStages; ++next) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, ring[next % kStages], in + next * kTile, cuda::aligned_size_t<16>(sizeof ring[0]), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        result = step(result, ring[tile % kStages][kTile - 1 - threadIdx.x]);
        pipe.consumer_release();
    }
    out[threadIdx.x] = result;
}

// Roles by a count: the first 32 threads produce. By a role: every second warp does.
template <int kStages, bool kByRole>
__global__ void partitioned(const int *in, int *out, int tiles)
{
    __shared__ int ring[kStages][kTile];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
    auto block = cg::this_thread_block();
    const bool producer = kByRole ? (threadIdx.x / 32) % 2 == 0 : threadIdx.x < 32;
    const int rank = kByRole ? threadIdx.x / 64 * 32 + threadIdx.x % 32 : (producer ? threadIdx.x : threadIdx.x - 32);
    const int producers = kByRole ? blockDim.x / 2 : 32;
    auto pipe = kByRole ? cuda::make_pipeline(block, &state, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer)
                        : cuda::make_pipeline(block, &state, 32);
    if (producer) {
        for (int tile = 0; tile < tiles; ++tile) {
            pipe.producer_acquire();
            for (int i = rank; i < kTile; i += producers)
                cuda::memcpy_async(&ring[tile % kStages][i], in + tile * kTile + i, sizeof(int), pipe);
            pipe.producer_commit();
        }
    } else {
        int result = 0;
        for (int tile = 0; tile < tiles; ++tile) {
            pipe.consumer_wait();
            result = step(result, ring[tile % kStages][kTile - 1 - rank]);
            pipe.consumer_release();
        }
        out[rank] = result;
    }
    pipe.quit();
}

// Each thread has its own column and its own pipeline.
__global__ void single(const int *in, int *out, int tiles)
{
    __shared__ int ring[3][kTile];
    const int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    int result = 0;
    for (int next = 0, tile = 0; tile < tiles; ++tile) {
        for (; next < tiles && next < tile + 3; ++next) {
            pipe.producer_acquire();
            cuda::memcpy_async(&ring[next % 3][t], in + next * kTile + (kTile - 1 - t), cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        if (tile % 2 == 0 && tile + 2 < tiles) {
            cuda::pipeline_consumer_wait_prior<2>(pipe);
        } else {
            pipe.consumer_wait();
        }
        result = step(result, ring[tile % 3][t]);
        pipe.consumer_release();
    }
    out[t] = result;
}

// The primitives; the last bytes of each copy of 8 are filled with zeroes.
__global__ void primitives(const int *in, int *out, int tiles)
{
    __shared__ alignas(8) int ring[2][kTile][2];
    const int t = threadIdx.x;
    int result = 0;
    __pipeline_memcpy_async(ring[0][t], in + 2 * (t / 2), 8, 4);
    __pipeline_commit();
    for (int tile = 0; tile < tiles; ++tile) {
        if (tile + 1 < tiles) {
            __pipeline_memcpy_async(ring[(tile + 1) & 1][t], in + (tile + 1) * kTile + 2 * (t / 2), 8, tile % 2 ? 4 : 0);
            __pipeline_commit();
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        const int other = kTile - 1 - t;
        result = step(result, ring[tile & 1][other][0] + 3 * ring[tile & 1][other][1]);
        __syncthreads();
    }
    out[t] = result;
}

// CUDA 11's class, and copies of tiles of the block.
__global__ void older(const int *in, int *out, int tiles)
{
    __shared__ alignas(16) int tile_of[kTile];
    __shared__ int whole[kTile];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int result = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        const int *from = in + tile * kTile;
        nvcuda::experimental::pipeline pipe;
        nvcuda::experimental::memcpy_async(tile_of[threadIdx.x], from[threadIdx.x], pipe);
        pipe.commit_and_wait();
        const int base = 32 * warp.meta_group_rank();
        cg::memcpy_async(warp, whole + base, from + base, 32 * sizeof(int));
        cg::wait(warp);
        block.sync();
        const int other = kTile - 1 - threadIdx.x;
        result = step(result, tile_of[other] + whole[threadIdx.x] - from[threadIdx.x]);
        block.sync();
    }
    out[threadIdx.x] = result;
}

// Pointers that carry hints behave as pointers.
__global__ void hinted(const int *in, int *out, int tiles)
{
    cuda::annotated_ptr<const int, cuda::access_property::streaming> from(in);
    cuda::annotated_ptr<const int, cuda::access_property> general(in, cuda::access_property::persisting{});
    int result = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        const int at = tile * kTile + kTile - 1 - threadIdx.x;
        result = step(result, tile % 2 ? from[at] : general[at]);
    }
    out[threadIdx.x] = result;
}

template <typename Launch>
bool check(const char *what, int tiles, const std::vector<int> &in, const std::vector<int> &want, Launch launch)
{
    int *d_in = device_copy(in), *d_out = device_zeros<int>(kTile);
    launch(d_in, d_out, tiles);
    CHECK(cudaGetLastError());
    const bool passed = same(what, host_copy(d_out, kTile), want);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return passed;
}

int main()
{
    bool passed = expect(sizeof(cuda::pipeline_shared_state<cuda::thread_scope_block, 2>) == 40, "two stages take 40 bytes");
    for (int tiles : {1, 2, 3, 8, 13}) {
        std::vector<int> in(tiles * kTile), want(kTile, 0), zeroes(kTile, 0);
        Random random(tiles);
        for (int &value : in) value = random.below(5000);
        for (int t = 0; t < kTile; ++t)
            for (int tile = 0; tile < tiles; ++tile) {
                want[t] = step(want[t], in[tile * kTile + kTile - 1 - t]);
                const int pair = tile * kTile + 2 * ((kTile - 1 - t) / 2);
                const bool zero = tile == 0 || (tile - 1) % 2;
                zeroes[t] = step(zeroes[t], in[pair] + (zero ? 0 : 3 * in[pair + 1]));
            }
        passed &= check("one stage", tiles, in, want, [](int *i, int *o, int n) { unified<1><<<1, kTile>>>(i, o, n); });
        passed &= check("two stages", tiles, in, want, [](int *i, int *o, int n) { unified<2><<<1, kTile>>>(i, o, n); });
        passed &= check("four stages", tiles, in, want, [](int *i, int *o, int n) { unified<4><<<1, kTile>>>(i, o, n); });
        passed &= check("producers", tiles, in, want,
                        [](int *i, int *o, int n) { partitioned<2, false><<<1, kTile + 32>>>(i, o, n); });
        passed &= check("roles", tiles, in, want, [](int *i, int *o, int n) { partitioned<3, true><<<1, 2 * kTile>>>(i, o, n); });
        passed &= check("single threads", tiles, in, want, [](int *i, int *o, int n) { single<<<1, kTile>>>(i, o, n); });
        passed &= check("older", tiles, in, want, [](int *i, int *o, int n) { older<<<1, kTile>>>(i, o, n); });
        passed &= check("hints", tiles, in, want, [](int *i, int *o, int n) { hinted<<<1, kTile>>>(i, o, n); });
        passed &= check("primitives", tiles, in, zeroes, [](int *i, int *o, int n) { primitives<<<1, kTile>>>(i, o, n); });
    }
    return verdict(passed);
}
