// SPDX-License-Identifier: Apache-2.0
//
// Stream compaction with one atomic for all lanes that are active together, and the same per key by __match_any_sync;
// the bodies are behind tests of __CUDA_ARCH__, and one helper differs between host and device.
#include "common.h"

#include <algorithm>

#define BUCKETS 5

__host__ __device__ inline int where_am_i()
{
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}

__host__ __device__ int count_bits(unsigned x)
{
#if defined(__CUDA_ARCH__)
    return __popc(x);
#else
    int bits = 0;
    for (; x; x &= x - 1)
        ++bits;
    return bits;
#endif
}

// Lanes that are here together send one of them to the counter. Right whichever lanes those are.
__device__ int aggregated_increment(int *counter)
{
    const unsigned active = __activemask();
    const int leader = __ffs(active) - 1;
    const int lane = threadIdx.x % warpSize;
    int start = 0;
    if (lane == leader)
        start = atomicAdd(counter, count_bits(active));
    start = __shfl_sync(active, start, leader);
    return start + count_bits(active & ((1u << lane) - 1));
}

__global__ void filter(const int *in, int *out, int *counter, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (in[i] > 0)
            out[aggregated_increment(counter)] = in[i];
}

__global__ void filter_by_ballot(const int *in, int *out, int *counter, int n)
{
    const int lane = threadIdx.x & 31;
    for (int base = (blockIdx.x * blockDim.x + threadIdx.x) & ~31; base < n; base += gridDim.x * blockDim.x) {
        const bool keep = base + lane < n && in[base + lane] > 0;
        const unsigned keepers = __ballot_sync(0xffffffffu, keep);
        int start = 0;
        if (lane == 0 && keepers)
            start = atomicAdd(counter, __popc(keepers));
        start = __shfl_sync(0xffffffffu, start, 0);
        if (keep)
            out[start + __popc(keepers & ((1u << lane) - 1))] = in[base + lane];
    }
}

__global__ void count_buckets(const int *in, int *counts, int *highest, int *marker, int n)
{
#if __CUDA_ARCH__ >= 700
    const int lane = threadIdx.x % warpSize;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int bucket = abs(in[i]) % BUCKETS;
        const unsigned peers = __match_any_sync(__activemask(), bucket);
        if (lane == __ffs(peers) - 1)
            atomicAdd(&counts[bucket], __popc(peers));
#if __CUDA_ARCH__ >= 800
        const int top = __reduce_max_sync(peers, in[i]);
        if (lane == __ffs(peers) - 1)
            atomicMax(&highest[bucket], top);
#else
        atomicMax(&highest[bucket], in[i]);
#endif
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *marker = where_am_i();
#endif
}

static bool check_filter(const char *name, const int *out, const int *counter, std::vector<int> want)
{
    const int count = host_copy(counter, 1)[0];
    if (!expect(count == int(want.size()), "every positive number is counted"))
        return false;
    std::vector<int> got = host_copy(out, count);
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    return same(name, got, want);
}

int main()
{
    const int n = 7000;
    std::vector<int> values(n), positive, counts(BUCKETS, 0), highest(BUCKETS, -1000000);
    Random random(21);
    for (auto &value : values) {
        value = int(random.below(2001)) - 1000;
        if (value > 0)
            positive.push_back(value);
        ++counts[std::abs(value) % BUCKETS];
    }
    int *in = device_copy(values), *out = device_zeros<int>(n), *counter = device_zeros<int>(1);
    filter<<<10, 96>>>(in, out, counter, n);
    bool passed = check_filter("filter", out, counter, positive);
    CHECK(cudaMemset(counter, 0, sizeof(int)));
    filter_by_ballot<<<10, 96>>>(in, out, counter, n);
    passed &= check_filter("filter by ballot", out, counter, positive);

    int *dCounts = device_zeros<int>(BUCKETS), *dHighest = device_copy(highest), *marker = device_zeros<int>(1);
    count_buckets<<<6, 128>>>(in, dCounts, dHighest, marker, n);
    for (int value : values)
        highest[abs(value) % BUCKETS] = std::max(highest[abs(value) % BUCKETS], value);
    passed &= same("buckets", host_copy(dCounts, BUCKETS), counts);
    passed &= same("highest", host_copy(dHighest, BUCKETS), highest);
    passed &= expect(host_copy(marker, 1)[0] == 1, "device code is compiled for a device");
    passed &= expect(where_am_i() == 2 && count_bits(0xf0f0u) == 8, "host code is compiled for the host");
    for (int *buffer : {in, out, counter, dCounts, dHighest, marker})
        CHECK(cudaFree(buffer));
    return verdict(passed);
}
