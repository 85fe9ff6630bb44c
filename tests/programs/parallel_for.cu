// SPDX-License-Identifier: Apache-2.0
//
// Modern C++ in kernels: loops that take device lambdas and function objects, packs of arguments, generic lambdas,
// recursion, compile-time branches; built with --extended-lambda.
#include "common.h"

#include <cuda/cmath>
#include <cuda/functional>
#include <type_traits>
#include <utility>

template <typename F>
__global__ void for_each_index(int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        f(i);
}

template <typename F, typename... Args>
__global__ void apply(F f, Args... args)
{
    f(blockIdx.x * blockDim.x + threadIdx.x, args...);
}

// out[i] = the sum of all inputs at i, times the number of them.
template <typename T, typename... Inputs>
__global__ void sum_of(T *out, int n, const Inputs *...inputs)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = T(sizeof...(inputs)) * (T(0) + ... + T(inputs[i]));
}

template <typename F, typename... Args>
void launch(int blocks, int threads, F f, Args &&...args)
{
    apply<<<blocks, threads>>>(f, std::forward<Args>(args)...);
    CHECK(cudaGetLastError());
}

class Grid
{
public:
    explicit Grid(int threads) : threads_(threads) {}
    template <typename F>
    void parallel_for(int n, F f) const
    {
        if (n > 0)
            for_each_index<F><<<(n + threads_ - 1) / threads_, threads_>>>(n, f);
        else
            return;
    }
    template <typename F>
    void sequential_for(int n, F f) const
    {
        for (int i = 0; i < n; ++i)
            f(i);
    }

private:
    int threads_;
};

struct Axpby
{
    double a, b;
    const double *x;
    double *y;
    __host__ __device__ void operator()(int i) const { y[i] = a * x[i] + b * y[i]; }
};

__device__ unsigned long long ackermann(unsigned m, unsigned long long n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

constexpr __host__ __device__ int triangle(int n) { return n <= 0 ? 0 : n + triangle(n - 1); }

template <typename T>
__device__ T describe(T value)
{
    if constexpr (std::is_floating_point<T>::value)
        return value / 2;
    else
        return value * 2;
}

// Lambdas inside a kernel: one that captures locals and shared memory by reference, one that is generic.
__global__ void local_lambdas(int *out)
{
    __shared__ int pairs[32];
    const int t = threadIdx.x;
    int calls = 0;
    auto store = [&](int at, int value) {
        pairs[at] = value;
        ++calls;
    };
    store(t, t);
    __syncthreads();
    auto combine = [=](auto a, auto b) { return describe(a) + int(describe(b)); };
    const int other = pairs[t ^ 1];
    out[t] = combine(other, 8.0f) + 1000 * calls + triangle(4) + int(ackermann(2, t % 4));
}

// libcu++'s arithmetic and function objects.
template <typename F>
__global__ void extremes(F f, cuda::fast_mod_div<int> five, int *out)
{
    const int i = threadIdx.x;
    const auto parts = cuda::div(i, five);
    out[i] = 1000 * (i / five * 10 + i % five - parts.first * 10 - parts.second + five - 5) +
             f(cuda::maximum<>{}(i, 7), cuda::minimum<int>{}(i, 3)) + cuda::round_up(i, 4u) * cuda::ilog2(i + 1);
}

static_assert(cuda::ceil_div(10, 3) == 4 && cuda::ceil_div(0u, 3) == 0 && cuda::ceil_div(~0u, 2u) == 1u << 31, "");
static_assert(cuda::round_down(11, 4) == 8 && cuda::ilog10(999) == 2 && cuda::ilog10(1000u) == 3, "");
static_assert(17u % cuda::fast_mod_div<unsigned>(5) == 2 && 17u / cuda::fast_mod_div<unsigned, true>(5) == 3, "");
static_assert(std::is_same<decltype(cuda::ceil_div(1ull, 2)), unsigned long long>::value, "the wider type");

static bool check_functional()
{
    int *out = device_copy(std::vector<int>(32));
    auto product = cuda::proclaim_return_type<int>([] __device__(int a, int b) { return a * b; });
    extremes<<<1, 32>>>(product, cuda::fast_mod_div<int>(5), out);
    std::vector<int> want(32);
    for (int i = 0; i < 32; ++i) {
        int log = 0;
        while (2 << log <= i + 1)
            ++log;
        want[i] = std::max(i, 7) * std::min(i, 3) + (i + 3) / 4 * 4 * log;
    }
    const bool passed = same("functional", host_copy(out, 32), want);
    CHECK(cudaFree(out));
    return passed;
}

static bool check_loops()
{
    const int n = 1000;
    std::vector<double> x(n), y(n), want(n);
    for (int i = 0; i < n; ++i) {
        x[i] = i;
        y[i] = n - i;
        want[i] = (3.0 * i - 2.0 * (n - i)) * (i % 2 ? 1 : 10) + 0.5;
    }
    double *dX = device_copy(x), *dY = device_copy(y);
    const Grid grid(96);
    const Axpby axpby = {3, -2, dX, dY};
    grid.parallel_for(n, axpby);
    const double offset = 0.5;
    const int period = 2;
    grid.parallel_for(n, [=] __device__(int i) { dY[i] = dY[i] * (i % period ? 1 : 10) + offset; });
    bool passed = same("lambda", host_copy(dY, n), want);

    // The same body on both sides.
    auto body = [] __host__ __device__(int i, double *out, double factor) { out[i] = factor * triangle(i % 10); };
    launch(10, 100, body, dY, 0.25);
    grid.sequential_for(n, [&](int i) { body(i, y.data(), 0.25); });
    passed &= same("shared body", host_copy(dY, n), y);
    CHECK(cudaFree(dX));
    CHECK(cudaFree(dY));
    return passed;
}

static bool check_packs()
{
    const int n = 100;
    std::vector<int> a(n);
    std::vector<short> b(n);
    std::vector<float> c(n);
    std::vector<double> want(n);
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = short(-3 * i);
        c[i] = i * 0.5f;
        want[i] = 3 * (-1.5 * i);
    }
    int *dA = device_copy(a);
    short *dB = device_copy(b);
    float *dC = device_copy(c);
    double *out = device_zeros<double>(n);
    sum_of<<<(n + 31) / 32, 32>>>(out, n, dA, dB, dC);
    bool passed = same("pack", host_copy(out, n), want);
    sum_of<double><<<(n + 31) / 32, 32>>>(out, n);
    passed &= same("empty pack", host_copy(out, n), std::vector<double>(n, 0.0));

    int *results = device_zeros<int>(32);
    local_lambdas<<<1, 32>>>(results);
    std::vector<int> local(32);
    for (int t = 0; t < 32; ++t)
        local[t] = 2 * (t ^ 1) + 4 + 1000 + 10 + (2 * (t % 4) + 3);
    passed &= same("lambdas in a kernel", host_copy(results, 32), local);
    for (void *buffer : {(void *)dA, (void *)dB, (void *)dC, (void *)out, (void *)results})
        CHECK(cudaFree(buffer));
    return passed;
}

int main()
{
    bool passed = check_functional() & check_loops();
    passed &= check_packs();
    return verdict(passed);
}
