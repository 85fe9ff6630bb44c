// SPDX-License-Identifier: Apache-2.0
//
// Votes of a warp and of a block: any, all, ballot, match, reductions by hardware, barriers that count and agree, on
// full and partial masks.
#include "common.h"

#include <algorithm>

__global__ void any_kernel(const unsigned *in, unsigned *out)
{
    const int t = threadIdx.x;
    out[t] = __any_sync(0xFFFFFFFF, in[t]);
}

__global__ void all_kernel(const unsigned *in, unsigned *out)
{
    const int t = threadIdx.x;
    out[t] = __all_sync(0xFFFFFFFF, in[t]);
}

// Each lane asks on behalf of three thirds of its warp, one after the other.
__global__ void thirds(const bool *flags, bool *results)
{
    const int t = threadIdx.x;
    const bool flag = flags[t];
    bool *o = results + 3 * t;
    *o = __any_sync(0xFFFFFFFF, flag && t % 3 == 0);
    *(o + 1) = __any_sync(0xFFFFFFFF, flag && t % 3 == 1);
    *(o + 2) = __all_sync(0xFFFFFFFF, flag || t % 3 != 2);
}

// Halves of a warp vote apart, under masks of their own.
__global__ void halves(const unsigned *in, uint2 *out)
{
    const unsigned lane = threadIdx.x % warpSize;
    if (lane < 16)
        out[threadIdx.x] = make_uint2(__ballot_sync(0x0000FFFF, in[threadIdx.x] & 1), __any_sync(0x0000FFFF, in[threadIdx.x] > 90));
    else
        out[threadIdx.x] = make_uint2(__ballot_sync(0xFFFF0000, in[threadIdx.x] & 1), __all_sync(0xFFFF0000, in[threadIdx.x] > 5));
}

__global__ void reductions(const unsigned *in, unsigned *out)
{
    const unsigned v = in[threadIdx.x], full = 0xFFFFFFFFu;
    unsigned *o = out + 8 * threadIdx.x;
    o[0] = __reduce_add_sync(full, v);
    o[1] = __reduce_min_sync(full, v);
    o[2] = __reduce_max_sync(full, v);
    o[3] = __reduce_and_sync(full, v | 0x40);
    o[4] = __reduce_or_sync(full, v);
    o[5] = __reduce_xor_sync(full, v);
    int agree;
    o[6] = __match_all_sync(full, v & 0x1000, &agree);
    o[7] = agree;
}

__global__ void block_votes(const unsigned *in, int3 *out)
{
    const unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int3 r;
    r.x = __syncthreads_count(v % 2);
    r.y = __syncthreads_and(v < 99);
    r.z = __syncthreads_or(v == 50);
    if (threadIdx.x == 0)
        out[blockIdx.x] = r;
}

static bool check_warps(const std::vector<unsigned> &values)
{
    const int n = int(values.size());
    unsigned *in = device_copy(values), *out = device_zeros<unsigned>(8 * n);
    std::vector<unsigned> any(n), all(n), reduced(8 * n);
    for (int t = 0; t < n; ++t) {
        unsigned *r = &reduced[8 * t];
        r[1] = r[3] = ~0u;
        all[t] = 1;
        for (int u = t / 32 * 32; u < t / 32 * 32 + 32; ++u) {
            any[t] |= values[u] != 0;
            all[t] &= values[u] != 0;
            r[0] += values[u];
            r[1] = std::min(r[1], values[u]);
            r[2] = std::max(r[2], values[u]);
            r[3] &= values[u] | 0x40;
            r[4] |= values[u];
            r[5] ^= values[u];
        }
        r[6] = ~0u;
        r[7] = 1;
    }
    any_kernel<<<1, n>>>(in, out);
    bool passed = same("any", host_copy(out, n), any);
    all_kernel<<<1, n>>>(in, out);
    passed &= same("all", host_copy(out, n), all);
    reductions<<<1, n>>>(in, out);
    passed &= same("reductions", host_copy(out, 8 * n), reduced);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_thirds()
{
    const int n = 96;
    std::vector<unsigned char> flags(n), want(3 * n);
    for (int t = 0; t < n; ++t)
        flags[t] = t / 32 == 0 ? t % 3 == 0 : t / 32 == 1 ? t % 3 == 2 : t == 94;
    for (int t = 0; t < n; ++t) {
        want[3 * t] = t / 32 == 0;
        want[3 * t + 1] = t / 32 == 2;
        want[3 * t + 2] = t / 32 == 1;
    }
    unsigned char *in = device_copy(flags), *out = device_zeros<unsigned char>(3 * n);
    thirds<<<1, n>>>((bool *)in, (bool *)out);
    const bool passed = same("thirds", host_copy(out, 3 * n), want);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return passed;
}

static bool check_halves(const std::vector<unsigned> &values)
{
    const int n = int(values.size());
    unsigned *in = device_copy(values);
    uint2 *out = device_zeros<uint2>(n);
    halves<<<1, n>>>(in, out);
    const std::vector<uint2> got = host_copy(out, n);
    bool passed = true;
    for (int t = 0; t < n; ++t) {
        const int half = t / 16 * 16;
        unsigned ballot = 0, vote = half % 32 != 0;
        for (int u = half; u < half + 16; ++u) {
            ballot |= (values[u] & 1) << (u % 32);
            vote = half % 32 == 0 ? vote | (values[u] > 90) : vote & (values[u] > 5);
        }
        passed &= got[t].x == ballot && (got[t].y != 0) == (vote != 0);
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return expect(passed, "halves of a warp vote apart");
}

static bool check_blocks(const std::vector<unsigned> &values, int threads)
{
    const int blocks = int(values.size()) / threads;
    unsigned *in = device_copy(values);
    int3 *out = device_zeros<int3>(blocks);
    block_votes<<<blocks, threads>>>(in, out);
    const std::vector<int3> got = host_copy(out, blocks);
    bool passed = true;
    for (int b = 0; b < blocks; ++b) {
        int odd = 0, all = 1, any = 0;
        for (int t = b * threads; t < (b + 1) * threads; ++t) {
            odd += values[t] % 2;
            all &= values[t] < 99;
            any |= values[t] == 50;
        }
        passed &= got[b].x == odd && !got[b].y == !all && !got[b].z == !any;
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return expect(passed, "blocks count and agree at barriers");
}

int main()
{
    std::vector<unsigned> values(480);
    Random random(4);
    for (auto &value : values)
        value = random.below(100);
    for (int i = 0; i < 32; ++i)
        values[64 + i] = 0;
    for (int i = 0; i < 32; ++i)
        values[96 + i] = 6 + i;
    bool passed = check_warps(values);
    passed &= check_thirds();
    passed &= check_halves(values);
    passed &= check_blocks(values, 48);
    return verdict(passed);
}
