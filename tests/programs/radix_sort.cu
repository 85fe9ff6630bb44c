// SPDX-License-Identifier: Apache-2.0
//
// A least-significant-digit radix sort, four bits a pass: counts a block, a scan of the counts, and a stable scatter
// that ranks equal digits within a warp by __match_any_sync.
#include "common.h"

#include <algorithm>

#define RADIX_BITS 4
#define RADIX (1 << RADIX_BITS)
#define THREADS 256

__device__ __forceinline__ unsigned digit_of(unsigned key, int shift) { return key >> shift & (RADIX - 1); }

__device__ __forceinline__ unsigned lanes_below() { return (1u << (threadIdx.x & 31)) - 1; }

__global__ void count_digits(const unsigned *keys, unsigned *counts, int n, int shift)
{
    __shared__ unsigned bins[RADIX];
    if (threadIdx.x < RADIX)
        bins[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[digit_of(keys[i], shift)], 1);
    __syncthreads();
    if (threadIdx.x < RADIX)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

// One block over all counts, digit-major.
__global__ void scan_counts(unsigned *counts, int n)
{
    __shared__ unsigned carry, total, warps[THREADS / 32];
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (threadIdx.x == 0)
        carry = 0;
    for (int base = 0; base < n; base += THREADS) {
        const int i = base + threadIdx.x;
        const unsigned own = i < n ? counts[i] : 0;
        unsigned sum = own;
        for (int offset = 1; offset < 32; offset <<= 1) {
            const unsigned other = __shfl_up_sync(~0u, sum, offset);
            if (lane >= offset)
                sum += other;
        }
        if (lane == 31)
            warps[warp] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned running = 0;
            for (unsigned w = 0; w < THREADS / 32; ++w) {
                const unsigned next = running + warps[w];
                warps[w] = running;
                running = next;
            }
            total = running;
        }
        __syncthreads();
        if (i < n)
            counts[i] = carry + warps[warp] + sum - own;
        __syncthreads();
        if (threadIdx.x == 0)
            carry += total;
        __syncthreads();
    }
}

__global__ void scatter(const unsigned *keys, const unsigned *values, unsigned *keysOut, unsigned *valuesOut,
                        const unsigned *offsets, int n, int shift)
{
    __shared__ unsigned inWarp[THREADS / 32][RADIX + 1];
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int i = blockIdx.x * THREADS + threadIdx.x;
    for (unsigned d = lane; d <= RADIX; d += 32)
        inWarp[warp][d] = 0;
    __syncwarp();

    const unsigned digit = i < n ? digit_of(keys[i], shift) : RADIX;
    const unsigned peers = __match_any_sync(0xffffffff, digit);
    if (lane == __ffs(peers) - 1)
        inWarp[warp][digit] = __popc(peers);
    __syncthreads();
    if (i >= n)
        return;
    unsigned rank = __popc(peers & lanes_below());
    for (unsigned w = 0; w < warp; ++w)
        rank += inWarp[w][digit];
    const unsigned to = offsets[digit * gridDim.x + blockIdx.x] + rank;
    keysOut[to] = keys[i];
    valuesOut[to] = values[i];
}

int main()
{
    const int n = 5000, blocks = (n + THREADS - 1) / THREADS;
    std::vector<unsigned> keys(n), values(n);
    Random random(77);
    for (int i = 0; i < n; ++i) {
        keys[i] = random.next() & random.next() & 0x00ffffffu;
        values[i] = i;
    }
    unsigned *key[2] = {device_copy(keys), device_zeros<unsigned>(n)};
    unsigned *value[2] = {device_copy(values), device_zeros<unsigned>(n)};
    unsigned *counts = device_zeros<unsigned>(RADIX * blocks);
    int from = 0;
    for (int shift = 0; shift < 24; shift += RADIX_BITS, from ^= 1) {
        count_digits<<<blocks, THREADS>>>(key[from], counts, n, shift);
        scan_counts<<<1, THREADS>>>(counts, RADIX * blocks);
        scatter<<<blocks, THREADS>>>(key[from], value[from], key[!from], value[!from], counts, n, shift);
    }
    CHECK(cudaDeviceSynchronize());

    std::stable_sort(values.begin(), values.end(), [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
    bool passed = same("stable order", host_copy(value[from], n), values);
    std::sort(keys.begin(), keys.end());
    passed &= same("keys", host_copy(key[from], n), keys);
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaFree(key[i]));
        CHECK(cudaFree(value[i]));
    }
    CHECK(cudaFree(counts));
    return verdict(passed);
}
