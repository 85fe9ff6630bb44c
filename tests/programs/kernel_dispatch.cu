// SPDX-License-Identifier: Apache-2.0
//
// How programs reach their kernels: by macros that paste names, through wrappers that check, from tables and namespaces,
// over many lines, with forty-four arguments. The kernels are small; that each ran exactly once and with the right
// arguments is what is checked.
#include "common.h"

#include <algorithm>

#define GLOBAL __global__
#define DEVICE static __device__ __forceinline__
#define SYNC_THREADS __syncthreads()
#define BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#define THREADS 64
#define BLOCKS_FOR(n) (((n) + THREADS - 1) / THREADS)

__device__ int calls;

namespace metric
{
namespace detail
{
template <typename T, typename R>
GLOBAL void distance(const T *a, const T *b, R *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = R(a[i] < b[i] ? b[i] - a[i] : a[i] - b[i]);
}
} // namespace detail

static GLOBAL void scale(int *data, int n, int factor = 3)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= factor;
}
} // namespace metric

GLOBAL void count_call() { atomicAdd(&calls, 1); }

// Braces open in one branch of the preprocessor and close in another.
GLOBAL void BOUNDS(THREADS, 2) add_int(int *data, int n, int value)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef UNCHECKED
    {
#else
    if (i < n) {
#endif
        data[i] += value;
    }
}

GLOBAL void add_float(float *data, int n, float value)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += value;
}

GLOBAL void subtract_int(int *data, int n, int value)
{
    __shared__ int amount;
    if (threadIdx.x == 0)
        amount = value;
    SYNC_THREADS;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] -= amount;
}

DEVICE int table_sum(const int table[4][4], const int weights[])
{
    int sum = 0;
    for (int i = 0; i < 16; ++i)
        sum += table[i / 4][i % 4] * weights[i];
    return sum;
}

GLOBAL void sum_tables(const int tables[][4][4], const int weights[16], int sums[], int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sums[i] = table_sum(tables[i], weights);
}

GLOBAL void weigh(int *out, int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int b0, int b1,
                  int b2, int b3, int b4, int b5, int b6, int b7, int b8, int b9, float c0, float c1, float c2, float c3,
                  float c4, float c5, float c6, float c7, float c8, float c9, double d0, double d1, double d2, double d3,
                  double d4, double d5, double d6, double d7, double d8, double d9, char e0, short e1, long long e2)
{
    const double sums[4] = {double(a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9),
                            double(b0 - b1 + b2 - b3 + b4 - b5 + b6 - b7 + b8 - b9),
                            c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + d0 - d1 + d2 - d3 + d4 - d5 + d6 - d7 + d8 - d9,
                            double(e0 + e1 + e2)};
    out[threadIdx.x] = int(sums[threadIdx.x]);
}

template <typename T, int WIDTH, bool NEGATE>
GLOBAL void fill(T *data, T value)
{
    for (int i = threadIdx.x; i < WIDTH; i += blockDim.x)
        data[i] = NEGATE ? -value : value;
}
template <>
GLOBAL void fill<int, 4, true>(int *data, int value)
{
    data[threadIdx.x] = 1000 + value;
}

#define LAUNCH_ADD(type, data, n, ...)                                                                                 \
    do {                                                                                                               \
        add_##type<<<BLOCKS_FOR(n), THREADS>>>(data, n, ##__VA_ARGS__);                                                \
        CHECK(cudaGetLastError());                                                                                     \
    } while (0)
#define RUN(kernel, grid, ...) kernel<<<grid, THREADS>>>(__VA_ARGS__)
#define CHECK_KERNEL(expression)                                                                                       \
    do {                                                                                                               \
        expression;                                                                                                    \
        CHECK(cudaGetLastError());                                                                                     \
    } while (0)
#define CHECK_LAST CHECK(cudaGetLastError());

static int evaluations;

static int counted(int value)
{
    ++evaluations;
    return value;
}

static bool check_names()
{
    const int n = 100;
    std::vector<int> a(n), b(n), want(n);
    for (int i = 0; i < n; ++i) {
        a[i] = i * 7 % 50;
        b[i] = i * 3 % 40;
        want[i] = 3 * -2 * std::abs(a[i] - b[i]);
    }
    int *dA = device_copy(a), *dB = device_copy(b), *out = device_zeros<int>(n);
    metric::detail::distance<int, int><<<BLOCKS_FOR(n), THREADS>>>(dA, dB, out, n);
    CHECK_LAST
    metric::scale<<<BLOCKS_FOR(n), THREADS>>>(out, n);
    CHECK_LAST
    ::metric::scale
        <<<BLOCKS_FOR(n),
           THREADS,
           0>>>(out, n,
                -2);
    bool passed = same("distances", host_copy(out, n), want);
    double *wide = device_zeros<double>(n);
    metric::detail::distance<
        int,
        double><<<
        BLOCKS_FOR(n),
        THREADS>>>(dA, dB, wide, n);
    for (int i = 0; i < n; ++i)
        want[i] /= -6;
    passed &= same("wide distances", host_copy(wide, n), std::vector<double>(want.begin(), want.end()));
    for (void *buffer : {(void *)dA, (void *)dB, (void *)out, (void *)wide})
        CHECK(cudaFree(buffer));
    return passed;
}

static void add_in_return(int *data, int n) { return add_int<<<BLOCKS_FOR(n), THREADS>>>(data, n, 1); }

static bool check_statements()
{
    const int n = 130;
    int *data = device_zeros<int>(n), want = 0;
    float *floats = device_zeros<float>(n);
    LAUNCH_ADD(int, data, n, 5);
    LAUNCH_ADD(float, floats, n, 0.5f);
    RUN(subtract_int, 2, data, n, counted(2));
    RUN((add_int), BLOCKS_FOR(n), data, n, int(20.9f));
    want += 5 - 2 + 20;
    for (int i = 0; i < 6; ++i)
        if (i % 3 == 0)
            add_int<<<BLOCKS_FOR(n), THREADS>>>(data, n, counted(i));
        else if (i % 3 == 1)
            for (int k = 0; k < 2; ++k)
                subtract_int<<<dim3(1, 1), dim3(THREADS)>>>(data, n, k);
        else
            add_int<<<i > 2 ? 8 >> 1 : 6 << 1 >> 1, THREADS, 0, 0>>>(data, n, -1);
    want += 3 - 2 - 2;
    int rounds = 3;
    while (rounds-- > 0)
        count_call<<<1, 2>>>();
    do
        count_call<<<1, 1>>>();
    while (++rounds < 2);
    CHECK_KERNEL((add_int<<<BLOCKS_FOR(n), THREADS>>>(data, n, 100)));
    CHECK_KERNEL((fill<float, 8, false><<<1, 8>>>(floats, 9.0f)));
    switch (n) {
    case 130: add_int<<<BLOCKS_FOR(n), THREADS>>>(data, n, 1000);
    default: subtract_int<<<3, THREADS>>>(data, n, 1);
    }
    goto tail;
tail:
    count_call<<<2, 2>>>();
    want += 100 + 1000 - 1;
    bool passed = same("statements", host_copy(data, n), std::vector<int>(n, want));
    std::vector<float> wantFloats(n, 0.5f);
    std::fill(wantFloats.begin(), wantFloats.begin() + 8, 9.0f);
    passed &= same("floats", host_copy(floats, n), wantFloats);
    int total;
    CHECK(cudaMemcpyFromSymbol(&total, calls, sizeof(total)));
    passed &= expect(total == 6 + 3 + 4, "calls without arguments") && expect(evaluations == 3, "arguments are evaluated once");
    CHECK(cudaFree(data));
    CHECK(cudaFree(floats));
    return passed;
}

static bool check_expressions()
{
    const int n = 70;
    int *data = device_zeros<int>(n), *few = device_zeros<int>(4);
    void (*const table[])(int *, int, int) = {add_int, subtract_int, metric::scale};
    for (int k = 0; k < 3; ++k)
        table[k]<<<BLOCKS_FOR(n), THREADS>>>(data, n, k + 4);
    add_in_return(data, n);
    bool passed = expect((add_int<<<{2, 1, 1}, {THREADS}>>>(data, n, 1), cudaGetLastError()) == cudaSuccess, "a launch in an expression");
    add_int<<<BLOCKS_FOR(n), THREADS>> >(data, n, 1);
    passed &= same("expressions", host_copy(data, n), std::vector<int>(n, (4 - 5) * 6 + 3));
    fill<int, 4, true><<<1, 4>>>(few, 24);
    passed &= same("specialisation", host_copy(few, 4), std::vector<int>(4, 1024));
    fill<int, (4 > 3 ? 3 : 4), true><<<1, 4>>>(few, 24);
    passed &= same("instance", host_copy(few, 4), {-24, -24, -24, 1024});
    CHECK(cudaFree(data));
    CHECK(cudaFree(few));
    return passed;
}

static bool check_parameters()
{
    int *out = device_zeros<int>(4);
    weigh<<<1, 4>>>(out, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 1.5f, 2, 2.5f, 3, 3.5f, 4, 4.5f, 5,
                    5.5f, 20, 1.25, 19, 1.25, 18, 1.25, 17, 1.25, 16, 1.25, 'a', -30000, 5000000000ll - 4999999999ll);
    bool passed = same("44 parameters", host_copy(out, 4), {55, 5, 116, 'a' - 30000 + 1});

    const int n = 40;
    std::vector<int> tables(16 * n), weights(16), want(n, 0);
    for (int i = 0; i < 16 * n; ++i)
        tables[i] = i % 23;
    for (int i = 0; i < 16; ++i)
        weights[i] = 1 - i;
    for (int i = 0; i < 16 * n; ++i)
        want[i / 16] += tables[i] * weights[i % 16];
    int *dTables = device_copy(tables), *dWeights = device_copy(weights), *sums = device_zeros<int>(n);
    sum_tables<<<1, 32>>>(reinterpret_cast<int(*)[4][4]>(dTables), dWeights, sums, n);
    passed &= same("array parameters", host_copy(sums, n), want);
    for (int *buffer : {out, dTables, dWeights, sums})
        CHECK(cudaFree(buffer));
    return passed;
}

int main()
{
    bool passed = check_names();
    passed &= check_statements();
    passed &= check_expressions();
    passed &= check_parameters();
    return verdict(passed);
}
