// SPDX-License-Identifier: Apache-2.0
//
// Kernels that are templates of every kind: types, values, templates, explicit specialisations, nested ids, and block
// reductions whose storage type is a member of a template.
#include "common.h"

#include <type_traits>

template <typename T>
struct SharedMemory
{
    // Only the specialisations below are meant to be used.
    __device__ T *getPointer()
    {
        extern __device__ void error(void);
        error();
        return NULL;
    }
};
template <>
struct SharedMemory<int>
{
    __device__ int *getPointer()
    {
        extern __shared__ int s_int[];
        return s_int;
    }
};
template <>
struct SharedMemory<float>
{
    __device__ float *getPointer()
    {
        extern __shared__ float s_float[];
        return s_float;
    }
};

template <class T>
__global__ void scale_by_count(T *in, T *out)
{
    SharedMemory<T> smem;
    T *sdata = smem.getPointer();
    const unsigned t = threadIdx.x;
    sdata[t] = in[t];
    __syncthreads();
    const T other = sdata[blockDim.x - 1 - t];
    __syncthreads();
    sdata[t] = (T)blockDim.x * other;
    __syncthreads();
    out[t] = sdata[t];
}

// A block reduction in the manner of CUB: the storage is a type of the template, an alias or a union of stages.
template <typename T, int THREADS>
class BlockReduce
{
public:
    struct TempStorage
    {
        T warp[THREADS / 32];
        T total;
    };

    __device__ explicit BlockReduce(TempStorage &storage) : storage_(storage) {}

    template <typename OP>
    __device__ T all(T value, OP op)
    {
        for (int offset = 16; offset > 0; offset >>= 1)
            value = op(value, __shfl_xor_sync(0xffffffffu, value, offset));
        if (threadIdx.x % 32 == 0)
            storage_.warp[threadIdx.x / 32] = value;
        __syncthreads();
        if (threadIdx.x == 0) {
            storage_.total = storage_.warp[0];
            for (int w = 1; w < THREADS / 32; ++w)
                storage_.total = op(storage_.total, storage_.warp[w]);
        }
        __syncthreads();
        return storage_.total;
    }

private:
    TempStorage &storage_;
};

template <typename T>
struct Sum
{
    __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct Max
{
    __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <template <typename> class OP, typename T, int THREADS>
struct Stage
{
    typedef T Value;
    typedef BlockReduce<T, THREADS> Reduce;
    static constexpr int kThreads = THREADS;
    static __host__ __device__ T apply(T a, T b) { return OP<T>()(a, b); }
};

// Shared storage of dependent type; two instances in one kernel, with commas in the type.
template <typename STAGE>
__global__ void reduce_stage(const typename STAGE::Value *in, typename STAGE::Value *out, int n,
                             typename STAGE::Value identity)
{
    __shared__ typename STAGE::Reduce::TempStorage storage;
    __shared__ typename BlockReduce<int, STAGE::kThreads>::TempStorage counting;
    typedef typename STAGE::Value T;
    T value = identity;
    int seen = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x, ++seen)
        value = STAGE::apply(value, in[i]);
    value = typename STAGE::Reduce(storage).all(value, [](T a, T b) { return STAGE::apply(a, b); });
    seen = BlockReduce<int, STAGE::kThreads>(counting).all(seen, Sum<int>());
    if (threadIdx.x == 0) {
        out[0] = value;
        out[1] = T(seen);
    }
}

// One array per instance: two sizes in one program never share storage.
template <int N, typename T, bool REVERSE = false>
__global__ void rotate(T *data)
{
    __shared__ T ring[N];
    ring[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = ring[(threadIdx.x + (REVERSE ? N - 1 : 1)) % N];
}
template <>
__global__ void rotate<32, double, false>(double *data)
{
    data[threadIdx.x] = -1.0 - threadIdx.x;
}

template <typename T>
bool check_scale(const char *name)
{
    const int n = 32;
    std::vector<T> in(n), want(n);
    for (int i = 0; i < n; ++i)
        in[i] = T(i) / T(2);
    for (int i = 0; i < n; ++i)
        want[i] = T(n) * in[n - 1 - i];
    T *a = device_copy(in), *b = device_zeros<T>(n);
    scale_by_count<T><<<dim3(1, 1, 1), dim3(n, 1, 1), sizeof(T) * n>>>(a, b);
    const bool passed = same(name, host_copy(b, n), want);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return passed;
}

static bool check_stages()
{
    const int n = 300;
    std::vector<long long> values(n), want = {0, n, -1000000, n};
    Random random(8);
    for (auto &value : values) {
        value = (long long)random.below(100000) - 50000;
        want[0] += value;
        want[2] = want[2] < value ? value : want[2];
    }
    long long *in = device_copy(values), *out = device_zeros<long long>(4);
    reduce_stage<Stage<Sum, long long, 128>><<<1, 128>>>(in, out, n, 0);
    reduce_stage<Stage<Max, std::conditional<sizeof(int) == 4, long long, int>::type, 64>><<<1, 64>>>(
        in, out + 2, n, -1000000);
    const bool passed = same("stages", host_copy(out, 4), want);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return passed;
}

template <int N, typename T>
bool check_rotation()
{
    std::vector<T> values(N);
    for (int i = 0; i < N; ++i)
        values[i] = T(10 + i);
    T *data = device_copy(values);
    rotate<N, T, (N > 64)><<<1, N>>>(data);
    for (int i = 0; i < N; ++i)
        values[i] = N == 32 && std::is_same<T, double>::value ? T(-1.0 - i) : T(10 + (i + (N > 64 ? N - 1 : 1)) % N);
    const bool passed = same("rotation", host_copy(data, N), values);
    CHECK(cudaFree(data));
    return passed;
}

int main()
{
    bool passed = check_scale<int>("int") && check_scale<float>("float");
    passed &= check_stages();
    passed &= check_rotation<32, double>() && check_rotation<48, double>() && check_rotation<96, short>();
    return verdict(passed);
}
