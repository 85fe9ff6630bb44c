// SPDX-License-Identifier: Apache-2.0
//
// Dynamic parallelism: a quicksort whose kernels launch kernels for both halves, in streams of their own, down to a
// depth where a plain sort takes over.
#include "common.h"

#include <algorithm>

#define MAX_DEPTH 6
#define SMALL 32

__device__ void selection_sort(unsigned *data, int left, int right)
{
    for (int i = left; i <= right; ++i) {
        int least = i;
        for (int j = i + 1; j <= right; ++j)
            if (data[j] < data[least])
                least = j;
        const unsigned value = data[i];
        data[i] = data[least];
        data[least] = value;
    }
}

__global__ void quicksort(unsigned *data, int left, int right, int depth)
{
    if (depth >= MAX_DEPTH || right - left <= SMALL) {
        selection_sort(data, left, right);
        return;
    }
    int low = left, high = right;
    const unsigned pivot = data[(left + right) / 2];
    while (low <= high) {
        while (data[low] < pivot)
            ++low;
        while (data[high] > pivot)
            --high;
        if (low <= high) {
            const unsigned value = data[low];
            data[low++] = data[high];
            data[high--] = value;
        }
    }
    if (left < high) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, stream>>>(data, left, high, depth + 1);
        cudaStreamDestroy(stream);
    }
    if (low < right) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, stream>>>(data, low, right, depth + 1);
        cudaStreamDestroy(stream);
    }
}

int main()
{
    std::vector<unsigned> values(700);
    Random random(3);
    for (auto &value : values)
        value = random.next();
    unsigned *data = device_copy(values);
    quicksort<<<1, 1>>>(data, 0, int(values.size()) - 1, 0);
    CHECK(cudaDeviceSynchronize());
    std::sort(values.begin(), values.end());
    const bool passed = same("sorted", host_copy(data, values.size()), values);
    CHECK(cudaFree(data));
    return verdict(passed);
}
