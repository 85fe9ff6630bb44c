// SPDX-License-Identifier: Apache-2.0
//
// Barriers in memory: phases split into an arrival and a wait, warps with roles, completion functions, threads that drop
// out, barriers of a whole grid, transactions of bytes, parities, and the mbarrier as functions of C.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/barrier>
#include <cuda_awbarrier.h>

#include "common.h"

#ifdef __CUDACC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

// Arrive, do something else, wait: the sum of the neighbours' squares, phase after phase.
__global__ void split_phases(const int *in, int *out, int phases)
{
    __shared__ BlockBarrier barrier;
    __shared__ int row[2][128];
    const int t = threadIdx.x, n = blockDim.x;
    if (t == 0) init(&barrier, n);
    __syncthreads();
    int sum = in[blockIdx.x * n + t];
    for (int phase = 0; phase < phases; ++phase) {
        row[phase & 1][t] = sum;
        auto token = barrier.arrive();
        const int own = sum * 3;
        barrier.wait(cuda::std::move(token));
        sum = own + row[phase & 1][(t + 1) % n] - row[phase & 1][(t + n - 1) % n];
        sum &= 0xffff;
    }
    out[blockIdx.x * n + t] = sum;
}

bool check_split()
{
    const int blocks = 3, threads = 128, phases = 7;
    std::vector<int> in(blocks * threads);
    Random random(5);
    for (int &value : in) value = random.below(1000);
    int *d_in = device_copy(in), *d_out = device_zeros<int>(in.size());
    split_phases<<<blocks, threads>>>(d_in, d_out, phases);
    CHECK(cudaGetLastError());
    std::vector<int> want = in;
    for (int phase = 0; phase < phases; ++phase) {
        const std::vector<int> old = want;
        for (int b = 0; b < blocks; ++b)
            for (int t = 0; t < threads; ++t) {
                const int *row = &old[b * threads];
                want[b * threads + t] = (row[t] * 3 + row[(t + 1) % threads] - row[(t + threads - 1) % threads]) & 0xffff;
            }
    }
    const bool passed = same("split phases", host_copy(d_out, in.size()), want);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return passed;
}

// One warp fills two buffers in turn, the others empty them; parities instead of tokens on one side.
__global__ void roles(const int *in, int *out, int tiles)
{
    __shared__ BlockBarrier full[2], empty[2];
    __shared__ int buffer[2][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; ++i) {
            init(&full[i], 32);
            init(&empty[i], blockDim.x - 32);
        }
    }
    __syncthreads();
    int sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        const int stage = tile & 1;
        const bool parity = (tile / 2) & 1;
        if (warp == 0) {
            if (tile >= 2) empty[stage].wait_parity(!parity);
            buffer[stage][lane] = in[32 * tile + lane];
            (void)full[stage].arrive();
        } else {
            full[stage].wait_parity(parity);
            sum += buffer[stage][(lane + warp) % 32] * warp;
            (void)empty[stage].arrive();
        }
    }
    if (warp != 0) out[threadIdx.x - 32] = sum;
}

bool check_roles()
{
    const int warps = 4, tiles = 9;
    std::vector<int> in(32 * tiles), want(32 * (warps - 1), 0);
    for (size_t i = 0; i < in.size(); ++i) in[i] = (int)(i * i % 251);
    for (int warp = 1; warp < warps; ++warp)
        for (int lane = 0; lane < 32; ++lane)
            for (int tile = 0; tile < tiles; ++tile)
                want[32 * (warp - 1) + lane] += in[32 * tile + (lane + warp) % 32] * warp;
    int *d_in = device_copy(in), *d_out = device_zeros<int>(want.size());
    roles<<<1, 32 * warps>>>(d_in, d_out, tiles);
    CHECK(cudaGetLastError());
    const bool passed = same("roles", host_copy(d_out, want.size()), want);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return passed;
}

// A completion function sums up every phase; threads drop out one after the other.
struct Total {
    int *partial;
    int *totals;
    int *phase;
    __host__ __device__ void operator()() noexcept
    {
        totals[(*phase)++] = *partial;
        *partial = 0;
    }
};
using TotalBarrier = cuda::barrier<cuda::thread_scope_block, Total>;

__global__ void dwindling(int *totals, int phases)
{
    __shared__ TotalBarrier barrier;
    __shared__ int partial, phase;
    if (threadIdx.x == 0) {
        partial = phase = 0;
        init(&barrier, blockDim.x, Total{&partial, totals, &phase});
    }
    __syncthreads();
    for (int i = 0; i < phases; ++i) {
        atomicAdd(&partial, (int)threadIdx.x + i);
        if ((int)threadIdx.x == i) {
            barrier.arrive_and_drop();
            return;
        }
        barrier.arrive_and_wait();
    }
}

bool check_dwindling()
{
    const int threads = 64, phases = 10;
    std::vector<int> want(phases, 0);
    for (int i = 0; i < phases; ++i)
        for (int t = i; t < threads; ++t) want[i] += t + i;
    int *totals = device_zeros<int>(phases);
    dwindling<<<1, threads>>>(totals, phases);
    CHECK(cudaGetLastError());
    const bool passed = same("totals", host_copy(totals, phases), want);
    CHECK(cudaFree(totals));
    return passed;
}

// A barrier of the device in global memory; the first thread of each block arrives for all of its threads at once.
using DeviceBarrier = cuda::barrier<cuda::thread_scope_device>;

__global__ void make_barrier(DeviceBarrier *barrier, int count)
{
    init(barrier, count);
}

__global__ void across_blocks(DeviceBarrier *barrier, int *rows, int *out, int rounds)
{
    const int block = blockIdx.x, blocks = gridDim.x;
    for (int round = 0; round < rounds; ++round) {
        __syncthreads();
        if (threadIdx.x == 0) {
            rows[round * blocks + block] = block * 10 + round;
            auto token = barrier->arrive(blockDim.x);
            barrier->wait(cuda::std::move(token));
        }
        __syncthreads();
        const int other = rows[round * blocks + (block + round + 1) % blocks];
        atomicAdd(&out[block], other);
    }
}

bool check_device_barrier()
{
    const int blocks = 6, threads = 40, rounds = 4;
    DeviceBarrier *barrier = reinterpret_cast<DeviceBarrier *>(device_zeros<char>(sizeof(DeviceBarrier)));
    int *rows = device_zeros<int>(rounds * blocks), *out = device_zeros<int>(blocks);
    make_barrier<<<1, 1>>>(barrier, blocks * threads);
    across_blocks<<<blocks, threads>>>(barrier, rows, out, rounds);
    CHECK(cudaGetLastError());
    std::vector<int> want(blocks, 0);
    for (int block = 0; block < blocks; ++block)
        for (int round = 0; round < rounds; ++round)
            want[block] += threads * (((block + round + 1) % blocks) * 10 + round);
    const bool passed = same("device barrier", host_copy(out, blocks), want);
    CHECK(cudaFree(barrier));
    CHECK(cudaFree(rows));
    CHECK(cudaFree(out));
    return passed;
}

// Copies whose bytes the barrier counts, copies of a group, copies of single threads.
template <int kTile>
__global__ void transactions(const int *in, int *out)
{
    __shared__ alignas(128) int tile[3][kTile];
    __shared__ BlockBarrier barrier;
    auto block = cooperative_groups::this_thread_block();
    const int t = threadIdx.x, first = blockIdx.x * kTile;
    if (t == 0) init(&barrier, blockDim.x);
    __syncthreads();
    BlockBarrier::arrival_token token;
    if (t == 0) {
        cuda::device::memcpy_async_tx(tile[0], in + first, cuda::aligned_size_t<16>(sizeof tile[0]), barrier);
        token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile[0]);
    } else {
        token = barrier.arrive();
    }
    barrier.wait(cuda::std::move(token));
    cuda::memcpy_async(block, tile[1], in + first, cuda::aligned_size_t<16>(sizeof tile[1]), barrier);
    barrier.arrive_and_wait();
    for (int i = t; i < kTile; i += blockDim.x) cuda::memcpy_async(&tile[2][i], &in[first + i], sizeof(int), barrier);
    barrier.arrive_and_wait();
    for (int i = t; i < kTile; i += blockDim.x)
        out[first + i] = tile[0][kTile - 1 - i] + 2 * tile[1][(i + 1) % kTile] + 3 * tile[2][(i + 5) % kTile];
}

bool check_transactions()
{
    const int size = 256, blocks = 3;
    std::vector<int> in(size * blocks), want(in.size());
    for (size_t i = 0; i < in.size(); ++i) in[i] = (int)(i * 31 % 977);
    for (int b = 0; b < blocks; ++b)
        for (int i = 0; i < size; ++i) {
            const int *tile = &in[b * size];
            want[b * size + i] = tile[size - 1 - i] + 2 * tile[(i + 1) % size] + 3 * tile[(i + 5) % size];
        }
    int *d_in = device_copy(in), *d_out = device_zeros<int>(in.size());
    transactions<size><<<blocks, 96>>>(d_in, d_out);
    CHECK(cudaGetLastError());
    const bool passed = same("transactions", host_copy(d_out, want.size()), want);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return passed;
}

// The instructions of PTX: one thread copies whole tiles in and out.
__global__ void bulk_copies(const int *in, int *out, int tiles)
{
    namespace ptx = cuda::ptx;
    __shared__ alignas(128) int tile[64];
    __shared__ alignas(8) cuda::std::uint64_t full;
    const int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    for (int i = 0; i < tiles; ++i) {
        if (t == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + 64 * i, sizeof tile, &full);
        }
        while (!ptx::mbarrier_try_wait_parity(&full, i & 1)) {
        }
        const int value = tile[63 - t];
        __syncthreads();
        tile[t] = value * 2 + i;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (t == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 64 * i, tile, sizeof tile);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
        }
        __syncthreads();
    }
}

bool check_bulk_copies()
{
    const int tiles = 5;
    std::vector<int> in(64 * tiles), want(in.size());
    for (size_t i = 0; i < in.size(); ++i) in[i] = (int)(i * 17 % 509);
    for (int i = 0; i < tiles; ++i)
        for (int t = 0; t < 64; ++t) want[64 * i + t] = in[64 * i + 63 - t] * 2 + i;
    int *d_in = device_copy(in), *d_out = device_zeros<int>(in.size());
    bulk_copies<<<1, 64>>>(d_in, d_out, tiles);
    CHECK(cudaGetLastError());
    const bool passed = same("bulk copies", host_copy(d_out, want.size()), want);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return passed;
}

// The functions of C and the class of CUDA 11.
__global__ void primitives(int *out)
{
    __shared__ __mbarrier_t barrier;
    __shared__ nvcuda::experimental::awbarrier second;
    __shared__ int row[64];
    const int t = threadIdx.x, n = blockDim.x;
    if (t == 0) {
        __mbarrier_init(&barrier, n);
        init(&second, n);
    }
    __syncthreads();
    row[t] = t * t;
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    const bool plausible = __mbarrier_token_pending_count(token) >= 1 && __mbarrier_token_pending_count(token) <= (unsigned)n;
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    int sum = row[n - 1 - t];
    second.arrive_and_wait();
    row[t] = sum + 1;
    (void)__mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait_parity(&barrier, true, 100)) {
    }
    sum += row[(t + 1) % n];
    nvcuda::experimental::awbarrier::arrival_token last = second.arrive();
    second.wait(last);
    __syncthreads();
    if (t == 0) {
        __mbarrier_inval(&barrier);
        inval(&second);
    }
    out[t] = plausible ? sum : -1;
}

bool check_primitives()
{
    const int n = 64;
    std::vector<int> want(n);
    for (int t = 0; t < n; ++t) {
        const int next = n - 1 - (t + 1) % n;
        want[t] = (n - 1 - t) * (n - 1 - t) + next * next + 1;
    }
    int *out = device_zeros<int>(n);
    primitives<<<1, n>>>(out);
    CHECK(cudaGetLastError());
    const bool passed = same("primitives", host_copy(out, n), want);
    CHECK(cudaFree(out));
    return passed;
}

// Waiting for a time that is too short, then for long enough.
__global__ void timed(int *out)
{
    __shared__ BlockBarrier barrier;
    if (threadIdx.x == 0) init(&barrier, blockDim.x + 1);
    __syncthreads();
    auto token = barrier.arrive();
    (void)barrier.try_wait_for(cuda::std::move(token), cuda::std::chrono::nanoseconds(0));
    __syncthreads();
    if (threadIdx.x == 5) (void)barrier.arrive();
    while (!barrier.try_wait_parity_for(false, cuda::std::chrono::microseconds(20))) {
    }
    out[threadIdx.x] = 1;
}

bool check_timed()
{
    const int n = 96;
    int *out = device_zeros<int>(n);
    timed<<<1, n>>>(out);
    CHECK(cudaGetLastError());
    const bool passed = same("timed", host_copy(out, n), std::vector<int>(n, 1));
    CHECK(cudaFree(out));
    return passed;
}

bool check_layout()
{
    bool passed = expect(sizeof(BlockBarrier) == 8 && sizeof(DeviceBarrier) == 8, "a barrier has 8 bytes");
    passed &= expect(BlockBarrier::max() == (1 << 20) - 1, "a barrier of a block counts to 2^20 - 1");
    cuda::std::barrier<> host(1);
    auto token = host.arrive();
    host.wait(cuda::std::move(token));
    return passed;
}

int main()
{
    bool passed = check_layout();
    passed &= check_split();
    passed &= check_roles();
    passed &= check_dwindling();
    passed &= check_device_barrier();
    passed &= check_transactions();
    passed &= check_bulk_copies();
    passed &= check_primitives();
    passed &= check_timed();
    return verdict(passed);
}
