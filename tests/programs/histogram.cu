// SPDX-License-Identifier: Apache-2.0
//
// Byte histograms with 256 bins (one table a warp in shared memory) and 64 bins (one table a block, weighted).
#include "common.h"

#define LOG2_WARP 5
#define WARP (1U << LOG2_WARP)
#define WARPS 6
#define BINS 256
#define BLOCK_THREADS (WARPS * WARP)
#define DIVIDE_UP(a, b) (((a) + (b) - 1) / (b))

// What CUDA has anyway, for editors that have not heard of it.
__device__ unsigned int atomicAdd(unsigned int *address, unsigned int val);
void __syncthreads();
int min(int a, int b);

#define UMUL(a, b) ((a) * (b))
#define UMAD(a, b, c) (UMUL((a), (b)) + (c))

inline __device__ void count_byte(unsigned *table, unsigned value) { atomicAdd(table + value, 1u); }

inline __device__ void count_word(unsigned *table, unsigned word)
{
    count_byte(table, (word >> 0) & 0xFFU);
    count_byte(table, (word >> 8) & 0xFFU);
    count_byte(table, (word >> 16) & 0xFFU);
    count_byte(table, (word >> 24) & 0xFFU);
}

__global__ void partial_histogram(unsigned *partial, const unsigned *words, unsigned count)
{
    __shared__ unsigned tables[WARPS * BINS];
    unsigned *table = tables + (threadIdx.x >> LOG2_WARP) * BINS;

#pragma unroll
    for (unsigned i = 0; i < (WARPS * BINS) / BLOCK_THREADS; i++)
        tables[threadIdx.x + i * BLOCK_THREADS] = 0;
    __syncthreads();

    for (unsigned at = UMAD(blockIdx.x, blockDim.x, threadIdx.x); at < count; at += UMUL(blockDim.x, gridDim.x))
        count_word(table, words[at]);
    __syncthreads();

    for (unsigned bin = threadIdx.x; bin < BINS; bin += BLOCK_THREADS) {
        unsigned sum = 0;
        for (unsigned i = 0; i < WARPS; i++)
            sum += tables[bin + i * BINS];
        partial[blockIdx.x * BINS + bin] = sum;
    }
}

__global__ void merge_histograms(unsigned *histogram, const unsigned *partial, unsigned blocks)
{
    __shared__ unsigned data[64];
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < blocks; i += blockDim.x)
        sum += partial[blockIdx.x + i * BINS];
    data[threadIdx.x] = sum;
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        __syncthreads();
        if (threadIdx.x < half)
            data[threadIdx.x] += data[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        histogram[blockIdx.x] = data[0];
}

// Weighted by position, straight to global memory: a 64-bit sum, the smallest and the largest position of each bin.
__global__ void weigh(const unsigned char *bytes, unsigned count, unsigned long long *sum, int *first, int *last)
{
    __shared__ unsigned long long sums[64];
    __shared__ int lowest[sizeof(sums) / sizeof(sums[0])], highest[sizeof(sums) / sizeof(sums[0])];
    if (threadIdx.x < 64) {
        sums[threadIdx.x] = 0;
        lowest[threadIdx.x] = 0x7fffffff;
        highest[threadIdx.x] = -1;
    }
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
        const int bin = bytes[i] >> 2;
        atomicAdd(&sums[bin], (unsigned long long)i);
        atomicMin(&lowest[bin], int(i));
        atomicMax(&highest[bin], int(i));
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        atomicAdd(&sum[threadIdx.x], sums[threadIdx.x]);
        atomicMin(&first[threadIdx.x], lowest[threadIdx.x]);
        atomicMax(&last[threadIdx.x], highest[threadIdx.x]);
    }
}

static bool check_weights(const std::vector<unsigned char> &bytes, const unsigned char *device)
{
    std::vector<unsigned long long> sum(64, 0);
    std::vector<int> first(64, 0x7fffffff), last(64, -1);
    unsigned long long *gotSum = device_copy(sum);
    int *gotFirst = device_copy(first), *gotLast = device_copy(last);
    weigh<<<DIVIDE_UP(int(bytes.size()), 1024), 256>>>(device, unsigned(bytes.size()), gotSum, gotFirst, gotLast);
    for (size_t i = 0; i < bytes.size(); ++i) {
        const int bin = bytes[i] >> 2;
        sum[bin] += i;
        first[bin] = first[bin] < int(i) ? first[bin] : int(i);
        last[bin] = int(i);
    }
    bool passed = same("sums", host_copy(gotSum, 64), sum);
    passed &= same("first positions", host_copy(gotFirst, 64), first);
    passed &= same("last positions", host_copy(gotLast, 64), last);
    cudaFree(gotSum);
    cudaFree(gotFirst);
    cudaFree(gotLast);
    return passed;
}

int main()
{
    const unsigned bytes = 1 << 16, blocks = 12;
    std::vector<unsigned char> data(bytes);
    std::vector<unsigned> want(BINS, 0);
    Random random(2025);
    for (auto &byte : data) {
        byte = (unsigned char)(random.below(256) & random.below(256));
        ++want[byte];
    }
    unsigned char *device = device_copy(data);
    unsigned *partial = device_zeros<unsigned>(blocks * BINS), *histogram = device_zeros<unsigned>(BINS);
    partial_histogram<<<blocks, BLOCK_THREADS>>>(partial, (const unsigned *)device, bytes / sizeof(unsigned));
    merge_histograms<<<BINS, 64>>>(histogram, partial, blocks);
    CHECK(cudaDeviceSynchronize());
    bool passed = same("histogram", host_copy(histogram, BINS), want);
    passed &= check_weights(data, device);
    CHECK(cudaFree(device));
    CHECK(cudaFree(partial));
    CHECK(cudaFree(histogram));
    return verdict(passed);
}
