// SPDX-License-Identifier: Apache-2.0
//
// The k largest values of each row, by three kernels that differ in how they lay out shared memory: a union of phases,
// arrays of every declaration style, and arrays that a device function reaches from file scope.
#include "common.h"

#include <algorithm>

#define K 8
#define THREADS 64
#define DEVICE_FUNCTION __device__ __noinline__

typedef unsigned int Key;

template <typename A, typename B>
struct Two
{
    typedef Two<A, B> Type;
    A first;
    B second;
};

struct alignas(16) Candidate
{
    float value;
    int index;
};

// One candidate of a list kept in order.
struct Entry
{
    int index;
    float value;
    __device__ bool before(const Entry &other) const
    {
        return value > other.value || (value == other.value && index < other.index);
    }
};

__device__ __forceinline__ Key sortable(float value)
{
    const Key bits = __float_as_uint(value);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__device__ __forceinline__ float value_of(Key key)
{
    return __uint_as_float(key & 0x80000000u ? key & 0x7fffffffu : ~key);
}

// The bin that holds the wanted-th largest, and how many are wanted of that bin.
DEVICE_FUNCTION int bin_of(const unsigned (*histogram)[64], int *wanted)
{
    int bin = 255;
    for (; int(histogram[bin / 64][bin % 64]) < *wanted; --bin)
        *wanted -= histogram[bin / 64][bin % 64];
    return bin;
}

// Radix selection of the k-th key, byte by byte; then the survivors are ranked. Both phases use the same storage.
__global__ void select_by_radix(const float *rows, float *best, int n)
{
    __shared__ union {
        unsigned histogram[4][64];
        struct
        {
            Key key[THREADS];
            float value[THREADS];
        } survivors;
    } phase;
    __shared__ struct
    {
        Key prefix, mask;
        int wanted, found;
    } state;
    const float *row = rows + blockIdx.x * n;
    const int t = threadIdx.x;
    if (t == 0) {
        state.prefix = state.mask = 0;
        state.wanted = K;
        state.found = 0;
    }
    for (int shift = 24; shift >= 0; shift -= 8) {
        for (int i = t; i < 256; i += THREADS)
            phase.histogram[i / 64][i % 64] = 0;
        __syncthreads();
        for (int i = t; i < n; i += THREADS) {
            const Key key = sortable(row[i]);
            if ((key & state.mask) == state.prefix)
                atomicAdd(&phase.histogram[key >> shift >> 6 & 3][key >> shift & 63], 1u);
        }
        __syncthreads();
        if (t == 0) {
            state.prefix |= Key(bin_of(phase.histogram, &state.wanted)) << shift;
            state.mask |= 255u << shift;
        }
        __syncthreads();
    }
    // Above the k-th key all, of those equal to it as many as are still wanted (they are equal, so any).
    for (int i = t; i < n; i += THREADS)
        if (sortable(row[i]) > state.prefix) {
            const int at = atomicAdd(&state.found, 1);
            phase.survivors.key[at] = sortable(row[i]);
            phase.survivors.value[at] = row[i];
        }
    __syncthreads();
    const int found = state.found;
    if (t < K - found) {
        phase.survivors.key[found + t] = state.prefix;
        phase.survivors.value[found + t] = value_of(state.prefix);
    }
    __syncthreads();
    if (t < K) {
        int rank = 0;
        for (int i = 0; i < K; ++i)
            rank += phase.survivors.key[i] > phase.survivors.key[t] || (phase.survivors.key[i] == phase.survivors.key[t] && i < t);
        best[blockIdx.x * K + rank] = phase.survivors.value[t];
    }
}

// A tournament: every thread keeps its best, the block picks the winner k times.
template <typename T, int WIDTH>
__global__ void select_by_tournament(const T *rows, T *best, int *where, int n)
{
    static __shared__ float lead[WIDTH];
    volatile __shared__ int owner[WIDTH];
    __shared__ __align__(16) T winners[K];
    alignas(32) __shared__ char raw[sizeof(Candidate) * K];
    __shared__ Two<T, Two<int, int>> summary;
    __shared__ typename Two<T, int>::Type last;
    __shared__ T *cursor, *limit;
    int __shared__ round, misaligned, counts[WIDTH / 32];
    Candidate *candidates = reinterpret_cast<Candidate *>(raw);
    const int t = threadIdx.x;
    unsigned taken = 0;
    if (t == 0) {
        cursor = winners;
        limit = winners + sizeof(winners) / sizeof(T);
        misaligned = (size_t)raw % 32 + (size_t)winners % 16;
        last.first = T(0);
        summary.second.first = summary.second.second = 0;
    }
    __syncthreads();
    for (round = 0; cursor < limit;) {
        __syncthreads();
        int mine = -1;
        for (int i = t, k = 0; i < n; i += WIDTH, ++k)
            if (!(taken >> k & 1) && (mine < 0 || rows[blockIdx.x * n + i] > rows[blockIdx.x * n + mine]))
                mine = i;
        lead[t] = mine < 0 ? -1e30f : float(rows[blockIdx.x * n + mine]);
        owner[t] = mine;
        for (int half = WIDTH / 2; half > 0; half >>= 1) {
            __syncthreads();
            if (t < half && (lead[t + half] > lead[t] || (lead[t + half] == lead[t] && owner[t + half] < owner[t]))) {
                lead[t] = lead[t + half];
                owner[t] = owner[t + half];
            }
        }
        __syncthreads();
        if (mine >= 0 && owner[0] == mine) {
            __shared__ int writer;
            writer = t;
            taken |= 1u << (mine / WIDTH);
            candidates[round].value = float(rows[blockIdx.x * n + mine]);
            candidates[round].index = mine;
            *cursor++ = rows[blockIdx.x * n + mine];
            summary.second.second += writer == t;
            ++round;
        }
        __syncthreads();
    }
    if (t % 32 == 0)
        counts[t / 32] = round;
    __syncthreads();
    if (t == 0)
        summary.first = T(counts[WIDTH / 32 - 1]);
    __syncthreads();
    if (t < K) {
        best[blockIdx.x * K + t] = winners[t];
        where[blockIdx.x * K + t] = misaligned || summary.second.second != K || summary.first != T(K) ? -1 : candidates[t].index;
    }
}

// File scope: any function of the block reaches these.
__shared__ extern Entry heap[];
__device__ __shared__ int sizes[THREADS];

DEVICE_FUNCTION void insert(int slot, Entry entry)
{
    Entry *list = heap + slot * K;
    int at = sizes[slot];
    if (at == K) {
        if (!entry.before(list[K - 1]))
            return;
        --at;
    } else
        ++sizes[slot];
    for (; at > 0 && entry.before(list[at - 1]); --at)
        list[at] = list[at - 1];
    list[at] = entry;
}

DEVICE_FUNCTION void merge(int to, int from)
{
    for (int i = 0; i < sizes[from]; ++i)
        insert(to, heap[from * K + i]);
}

__global__ void select_by_heaps(const float *rows, float *best, int *where, int n)
{
    const int t = threadIdx.x;
    sizes[t] = 0;
    for (int i = t; i < n; i += THREADS)
        insert(t, {i, rows[blockIdx.x * n + i]});
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            merge(t, t + half);
    }
    __syncthreads();
    if (t < K) {
        best[blockIdx.x * K + t] = heap[t].value;
        where[blockIdx.x * K + t] = heap[t].index;
    }
}

int main()
{
    const int rows = 7, n = 700;
    std::vector<float> values(rows * n), want;
    std::vector<int> places;
    Random random(50);
    for (auto &value : values)
        value = float(int(random.below(4000)) - 3000) / 16;
    for (int r = 0; r < rows; ++r) {
        std::vector<int> order(n);
        for (int i = 0; i < n; ++i)
            order[i] = i;
        const float *row = &values[r * n];
        std::stable_sort(order.begin(), order.end(), [=](int a, int b) { return row[a] > row[b]; });
        for (int k = 0; k < K; ++k) {
            places.push_back(order[k]);
            want.push_back(row[order[k]]);
        }
    }
    float *in = device_copy(values), *best = device_zeros<float>(rows * K);
    int *where = device_zeros<int>(rows * K);
    select_by_radix<<<rows, THREADS>>>(in, best, n);
    bool passed = same("radix", host_copy(best, rows * K), want);
    select_by_tournament<float, THREADS><<<rows, THREADS>>>(in, best, where, n);
    passed &= same("tournament", host_copy(best, rows * K), want) && same("places", host_copy(where, rows * K), places);
    select_by_heaps<<<rows, THREADS, THREADS * K * sizeof(Entry)>>>(in, best, where, n);
    passed &= same("heaps", host_copy(best, rows * K), want) && same("places", host_copy(where, rows * K), places);

    std::vector<double> wide(values.begin(), values.end()), wantWide(want.begin(), want.end());
    double *in64 = device_copy(wide), *best64 = device_zeros<double>(rows * K);
    select_by_tournament<double, 128><<<rows, 128>>>(in64, best64, where, n);
    passed &= same("tournament in double", host_copy(best64, rows * K), wantWide) && same("places", host_copy(where, rows * K), places);
    for (void *buffer : {(void *)in, (void *)best, (void *)where, (void *)in64, (void *)best64})
        CHECK(cudaFree(buffer));
    return verdict(passed);
}
