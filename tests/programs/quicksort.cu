// SPDX-License-Identifier: Apache-2.0
//
// Quicksort without recursion: the host splits sequences in two by a kernel each until they are short, then a block
// sorts each of those with a stack of its own in shared memory; pointers into it live in shared memory too.
#include "common.h"

#include <algorithm>
#include <cfloat>

#define SORT_THREADS 64
#define SMALL 512

template <typename T>
struct Sequence
{
    int begin, end;
    T pivot;
};

struct Pair
{
    unsigned below, above;
};

// Elements below the pivot go to the front of `out`, those above to the back; the rest is filled in between.
template <typename T>
__global__ void partition(const T *in, T *out, Sequence<T> sequence, Pair *heads)
{
    __shared__ unsigned below[SORT_THREADS + 1], above[SORT_THREADS + 1], *belowEnd, *aboveEnd;
    const int t = threadIdx.x, stride = gridDim.x * blockDim.x;
    unsigned mineBelow = 0, mineAbove = 0;
    for (int i = sequence.begin + blockIdx.x * blockDim.x + t; i < sequence.end; i += stride) {
        mineBelow += in[i] < sequence.pivot;
        mineAbove += in[i] > sequence.pivot;
    }
    below[t + 1] = mineBelow;
    above[t + 1] = mineAbove;
    __syncthreads();
    if (t == 0) {
        belowEnd = below + blockDim.x;
        aboveEnd = above + blockDim.x;
        for (unsigned *b = below + 1, *a = above + 1; b < belowEnd; ++b, ++a) {
            b[1] += b[0];
            a[1] += a[0];
        }
        below[0] = atomicAdd(&heads->below, *belowEnd);
        above[0] = atomicAdd(&heads->above, *aboveEnd);
    }
    __syncthreads();
    unsigned atBelow = sequence.begin + below[0] + (t ? below[t] : 0);
    unsigned atAbove = sequence.end - above[0] - (t ? above[t] : 0);
    for (int i = sequence.begin + blockIdx.x * blockDim.x + t; i < sequence.end; i += stride)
        if (in[i] < sequence.pivot)
            out[atBelow++] = in[i];
        else if (in[i] > sequence.pivot)
            out[--atAbove] = in[i];
}

template <typename T>
__global__ void fill_pivots(T *out, Sequence<T> sequence, const Pair *heads)
{
    const int last = sequence.end - heads->above;
    for (int i = sequence.begin + heads->below + blockIdx.x * blockDim.x + threadIdx.x; i < last;
         i += gridDim.x * blockDim.x)
        out[i] = sequence.pivot;
}

// Sorts one short sequence: an explicit stack, ranges of up to SORT_THREADS by counting, others by splitting.
template <typename T>
__global__ void sort_small(T *data, const Sequence<T> *sequences)
{
    __shared__ T one[SMALL], two[SMALL];
    __shared__ T *from, *to;
    __shared__ int stack[64][2], depth, lowCount, highCount, begin, end;
    const Sequence<T> sequence = sequences[blockIdx.x];
    const int n = sequence.end - sequence.begin, t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x)
        one[i] = data[sequence.begin + i];
    if (t == 0) {
        depth = 1;
        stack[0][0] = 0;
        stack[0][1] = n;
        from = one;
        to = two;
    }
    __syncthreads();
    while (depth > 0) {
        __syncthreads();
        if (t == 0) {
            --depth;
            begin = stack[depth][0];
            end = stack[depth][1];
            lowCount = highCount = 0;
        }
        __syncthreads();
        if (end - begin <= SORT_THREADS) {
            if (begin + t < end) {
                const T mine = from[begin + t];
                int rank = 0;
                for (int i = begin; i < end; ++i)
                    rank += from[i] < mine || (from[i] == mine && i < begin + t);
                data[sequence.begin + begin + rank] = mine;
            }
        } else {
            const T pivot = from[(begin + end) / 2];
            for (int i = begin + t; i < end; i += blockDim.x)
                if (from[i] < pivot)
                    to[begin + atomicAdd(&lowCount, 1)] = from[i];
                else if (from[i] > pivot)
                    to[end - 1 - atomicAdd(&highCount, 1)] = from[i];
            __syncthreads();
            for (int i = begin + t; i < end; i += blockDim.x)
                if (i < begin + lowCount || i >= end - highCount)
                    from[i] = to[i];
                else
                    data[sequence.begin + i] = pivot;
            // The longer half waits below, so the stack stays as short as the logarithm.
            if (t == 0) {
                const int lowEnd = begin + lowCount, highBegin = end - highCount;
                const bool lowFirst = lowCount > highCount;
                stack[depth][0] = lowFirst ? begin : highBegin;
                stack[depth++][1] = lowFirst ? lowEnd : end;
                stack[depth][0] = lowFirst ? highBegin : begin;
                stack[depth++][1] = lowFirst ? end : lowEnd;
            }
        }
        __syncthreads();
    }
}

template <typename T>
void quicksort(T *data, T *buffer, int n)
{
    Pair *heads = device_zeros<Pair>(1);
    std::vector<Sequence<T>> work(1, Sequence<T>{0, n, T()}), small;
    while (!work.empty()) {
        Sequence<T> s = work.back();
        work.pop_back();
        if (s.end - s.begin <= SMALL) {
            if (s.end > s.begin)
                small.push_back(s);
            continue;
        }
        CHECK(cudaMemcpy(&s.pivot, data + (s.begin + s.end) / 2, sizeof(T), cudaMemcpyDeviceToHost));
        CHECK(cudaMemset(heads, 0, sizeof(Pair)));
        partition<T><<<4, SORT_THREADS>>>(data, buffer, s, heads);
        fill_pivots<T><<<2, SORT_THREADS>>>(buffer, s, heads);
        CHECK(cudaMemcpy(data + s.begin, buffer + s.begin, (s.end - s.begin) * sizeof(T), cudaMemcpyDeviceToDevice));
        const Pair counts = host_copy(heads, 1)[0];
        work.push_back({s.begin, s.begin + int(counts.below), T()});
        work.push_back({s.end - int(counts.above), s.end, T()});
    }
    Sequence<T> *list = device_copy(small);
    sort_small<T><<<int(small.size()), SORT_THREADS>>>(data, list);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(list));
    CHECK(cudaFree(heads));
}

template <typename T>
bool run(const char *name, int n, int distinct)
{
    std::vector<T> values(n);
    Random random(n);
    for (auto &value : values)
        value = T(random.below(distinct)) - T(distinct / 2);
    T *data = device_copy(values), *buffer = device_zeros<T>(n);
    quicksort(data, buffer, n);
    std::sort(values.begin(), values.end());
    const bool passed = same(name, host_copy(data, n), values);
    CHECK(cudaFree(data));
    CHECK(cudaFree(buffer));
    return passed;
}

int main()
{
    bool passed = run<int>("int", 6000, 100000);
    passed &= run<float>("float", 4000, 50000);
    passed &= run<double>("many equal", 3000, 20);
    return verdict(passed);
}
