// SPDX-License-Identifier: Apache-2.0
//
// Batcher's bitonic and odd-even merge networks over batches of key-value pairs: small strides in shared memory, large
// ones by a launch each.
#include "common.h"

#include <algorithm>
#include <numeric>

typedef unsigned int uint;

#define SHARED_SIZE 512U

__device__ inline void comparator(uint &keyA, uint &valueA, uint &keyB, uint &valueB, uint ascending)
{
    if ((keyA > keyB) == ascending) {
        uint t = keyA;
        keyA = keyB;
        keyB = t;
        t = valueA;
        valueA = valueB;
        valueB = t;
    }
}

// The stages of the network up to SHARED_SIZE; batches may be shorter or longer than that.
__global__ void bitonic_sort_shared(uint *keys, uint *values, uint length, uint ascending)
{
    __shared__ uint key[SHARED_SIZE];
    __shared__ uint value[SHARED_SIZE];
    const uint base = blockIdx.x * SHARED_SIZE + threadIdx.x;
    key[threadIdx.x] = keys[base];
    value[threadIdx.x] = values[base];
    key[threadIdx.x + SHARED_SIZE / 2] = keys[base + SHARED_SIZE / 2];
    value[threadIdx.x + SHARED_SIZE / 2] = values[base + SHARED_SIZE / 2];
    const uint comparatorIndex = (blockIdx.x * SHARED_SIZE / 2 + threadIdx.x) & (length / 2 - 1);
    for (uint size = 2; size <= length && size <= SHARED_SIZE; size <<= 1) {
        const uint up = size == length ? ascending : ascending ^ ((comparatorIndex & (size / 2)) != 0);
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            uint at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            comparator(key[at], value[at], key[at + stride], value[at + stride], up);
        }
    }
    __syncthreads();
    keys[base] = key[threadIdx.x];
    values[base] = value[threadIdx.x];
    keys[base + SHARED_SIZE / 2] = key[threadIdx.x + SHARED_SIZE / 2];
    values[base + SHARED_SIZE / 2] = value[threadIdx.x + SHARED_SIZE / 2];
}

__global__ void bitonic_merge_global(uint *keys, uint *values, uint length, uint size, uint stride, uint ascending)
{
    const uint i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint comparatorIndex = i & (length / 2 - 1);
    const uint up = size == length ? ascending : ascending ^ ((comparatorIndex & (size / 2)) != 0);
    const uint at = 2 * i - (i & (stride - 1));
    comparator(keys[at], values[at], keys[at + stride], values[at + stride], up);
}

__global__ void odd_even_merge_global(uint *keys, uint *values, uint size, uint stride, uint ascending)
{
    const uint i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint at = 2 * i - (i & (stride - 1));
    if (stride < size / 2) {
        const uint offset = i & (size / 2 - 1);
        if (offset >= stride)
            comparator(keys[at - stride], values[at - stride], keys[at], values[at], ascending);
    } else
        comparator(keys[at], values[at], keys[at + stride], values[at + stride], ascending);
}

static void bitonic_sort(uint *keys, uint *values, uint total, uint length, uint ascending)
{
    bitonic_sort_shared<<<total / SHARED_SIZE, SHARED_SIZE / 2>>>(keys, values, length, ascending);
    for (uint size = 2 * SHARED_SIZE; size <= length; size <<= 1)
        for (uint stride = size / 2; stride > 0; stride >>= 1)
            bitonic_merge_global<<<total / 512, 256>>>(keys, values, length, size, stride, ascending);
}

static void odd_even_sort(uint *keys, uint *values, uint total, uint length, uint ascending)
{
    for (uint size = 2; size <= length; size <<= 1)
        for (uint stride = size / 2; stride > 0; stride >>= 1)
            odd_even_merge_global<<<total / 512, 256>>>(keys, values, size, stride, ascending);
}

static bool check(const char *network, uint length, uint ascending, const std::vector<uint> &before,
                  const std::vector<uint> &keys, const std::vector<uint> &values)
{
    for (size_t start = 0; start < before.size(); start += length) {
        std::vector<uint> want(before.begin() + start, before.begin() + start + length);
        std::sort(want.begin(), want.end());
        if (!ascending)
            std::reverse(want.begin(), want.end());
        if (!std::equal(want.begin(), want.end(), keys.begin() + start)) {
            printf("%s, batches of %u, %s: wrong order\n", network, length, ascending ? "up" : "down");
            return false;
        }
        for (size_t i = start; i < start + length; ++i)
            if (values[i] < start || values[i] >= start + length || before[values[i]] != keys[i]) {
                printf("%s, batches of %u: [%zu] lost its value\n", network, length, i);
                return false;
            }
    }
    return true;
}

int main()
{
    const uint total = 4096;
    std::vector<uint> keys(total), values(total);
    std::iota(values.begin(), values.end(), 0u);
    Random random(3);
    for (auto &key : keys)
        key = random.below(1000);
    bool passed = true;
    for (uint length : {64u, 512u, 2048u})
        for (uint ascending = 0; ascending < 2; ++ascending)
            for (int network = 0; network < 2; ++network) {
                uint *deviceKeys = device_copy(keys), *deviceValues = device_copy(values);
                if (network == 0)
                    bitonic_sort(deviceKeys, deviceValues, total, length, ascending);
                else
                    odd_even_sort(deviceKeys, deviceValues, total, length, ascending);
                passed &= check(network ? "odd-even" : "bitonic", length, ascending, keys, host_copy(deviceKeys, total),
                                host_copy(deviceValues, total));
                CHECK(cudaFree(deviceKeys));
                CHECK(cudaFree(deviceValues));
            }
    return verdict(passed);
}
