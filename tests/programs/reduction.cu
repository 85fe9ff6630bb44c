// SPDX-License-Identifier: Apache-2.0
//
// Sums of int, float and double by five kernels, from the plainest to one whose block size is a template argument.
#include "common.h"

// Dynamic shared memory as an array of T: a template may not declare one extern name with several types.
template <class T>
struct SharedMemory
{
    __device__ inline operator T *()
    {
        extern __shared__ int shared_int[];
        return (T *)shared_int;
    }
};
template <>
struct SharedMemory<float>
{
    __device__ inline operator float *()
    {
        extern __shared__ float shared_float[];
        return shared_float;
    }
};
template <>
struct SharedMemory<double>
{
    __device__ inline operator double *()
    {
        extern __shared__ double shared_double[];
        return shared_double;
    }
};

template <class T>
__global__ void reduce_interleaved(const T *in, T *out, unsigned n)
{
    T *sums = SharedMemory<T>();
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[t] = i < n ? in[i] : T(0);
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        if (t % (2 * step) == 0)
            sums[t] += sums[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}

template <class T>
__global__ void reduce_sequential(const T *in, T *out, unsigned n)
{
    T *sums = SharedMemory<T>();
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    T mine = i < n ? in[i] : T(0);
    if (i + blockDim.x < n)
        mine += in[i + blockDim.x];
    sums[t] = mine;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        if (t < half)
            sums[t] = mine = mine + sums[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = mine;
}

template <class T>
__device__ __forceinline__ T warp_sum(unsigned mask, T value)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(mask, value, offset);
    return value;
}

// Warp sums through a static array, then the first warp adds those.
template <class T>
__global__ void reduce_shuffle(const T *__restrict__ in, T *__restrict__ out, unsigned n)
{
    __shared__ T warps[32];
    unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    T mine = T(0);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += in[i];
    mine = warp_sum(0xffffffffu, mine);
    if (lane == 0)
        warps[warp] = mine;
    __syncthreads();
    if (warp != 0)
        return;
    mine = lane < (blockDim.x + warpSize - 1) / warpSize ? warps[lane] : T(0);
    mine = warp_sum(0xffffffffu, mine);
    if (lane == 0)
        out[blockIdx.x] = mine;
}

template <class T, unsigned int BLOCK, bool POWER_OF_2>
__global__ void reduce_unrolled(const T *in, T *out, unsigned n)
{
    T *sums = SharedMemory<T>();
    unsigned t = threadIdx.x, i = blockIdx.x * BLOCK * 2 + t;
    T mine = T(0);
    for (; i < n; i += BLOCK * 2 * gridDim.x) {
        mine += in[i];
        if (POWER_OF_2 || i + BLOCK < n)
            mine += in[i + BLOCK];
    }
    sums[t] = mine;
    __syncthreads();
    if (BLOCK >= 256) {
        if (t < 128)
            sums[t] = mine = mine + sums[t + 128];
        __syncthreads();
    }
    if (BLOCK >= 128) {
        if (t < 64)
            sums[t] = mine = mine + sums[t + 64];
        __syncthreads();
    }
    if (t < 32) {
        if (BLOCK >= 64)
            mine += sums[t + 32];
        mine = warp_sum(0xffffffffu, mine);
        if (t == 0)
            out[blockIdx.x] = mine;
    }
}

template <class T>
void launch(int kernel, int threads, int blocks, const T *in, T *out, unsigned n)
{
    const size_t bytes = threads * sizeof(T);
    const bool power = (n & (n - 1)) == 0;
    switch (kernel) {
    case 0: reduce_interleaved<T><<<blocks, threads, bytes>>>(in, out, n); break;
    case 1: reduce_sequential<T><<<blocks, threads, bytes>>>(in, out, n); break;
    case 2: reduce_shuffle<T><<<blocks, threads>>>(in, out, n); break;
    default:
        if (power)
            switch (threads) {
            case 256: reduce_unrolled<T, 256, true><<<blocks, threads, bytes>>>(in, out, n); break;
            case 128: reduce_unrolled<T, 128, true><<<blocks, threads, bytes>>>(in, out, n); break;
            case 64:
                reduce_unrolled<T, 64, true>
                    <<<blocks, threads, bytes>>>(in, out, n);
            }
        else
            switch (threads) {
            case 256: reduce_unrolled<T, 256, false><<<blocks, threads, bytes>>>(in, out, n); break;
            case 128: reduce_unrolled<T, 128, false><<<blocks, threads, bytes>>>(in, out, n); break;
            case 64: reduce_unrolled<T, 64, false><<<blocks, threads, bytes>>>(in, out, n); break;
            }
    }
    CHECK(cudaPeekAtLastError());
}

template <class T>
bool run(const char *type, unsigned n, double tolerance)
{
    std::vector<T> values(n);
    Random random(n);
    double want = 0;
    for (auto &value : values) {
        value = T(random.below(1000)) / T(sizeof(T) == 4 && T(1) / T(2) != T(0) ? 8 : 1);
        want += double(value);
    }
    T *in = device_copy(values), *out = device_zeros<T>(256);
    bool passed = true;
    for (int kernel = 0; kernel < 4; ++kernel)
        for (int threads = 64; threads <= 256; threads *= 2) {
            int blocks = kernel < 2 ? (n + threads - 1) / threads : 8;
            if (kernel == 1)
                blocks = (n + 2 * threads - 1) / (2 * threads);
            launch(kernel, threads, blocks, in, out, n);
            double got = 0;
            for (T partial : host_copy(out, blocks))
                got += double(partial);
            if (fabs(got - want) > tolerance * want) {
                printf("%s, kernel %d, %d threads: %.9g, expected %.9g\n", type, kernel, threads, got, want);
                passed = false;
            }
        }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return passed;
}

int main()
{
    bool passed = true;
    for (unsigned n : {8192u, 5000u}) {
        passed &= run<int>("int", n, 0);
        passed &= run<float>("float", n, 1e-5);
        passed &= run<double>("double", n, 1e-12);
    }
    return verdict(passed);
}
