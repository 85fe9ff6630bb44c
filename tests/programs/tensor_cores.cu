// SPDX-License-Identifier: Apache-2.0
//
// Matrix functions of warps: every type and shape, loaded by rows and by columns, with sums that are exact. Elements of
// fragments are changed one by one, and blocks of several warps share a tile.
#include <mma.h>

#include "common.h"

using namespace nvcuda;
using Row = wmma::row_major;
using Column = wmma::col_major;

template <class T>
T element_of(double value)
{
    return T(value);
}

/// The type of a fragment, and that of its elements in memory.
template <class T>
struct Stored {
    using Type = T;
};
template <>
struct Stored<wmma::precision::tf32> {
    using Type = float;
};

template <class A, class C, int m, int n, int k, class LayoutA, class LayoutB>
__global__ void product(const typename Stored<A>::Type *a, const typename Stored<A>::Type *b, C *c, bool by_rows)
{
    wmma::fragment<wmma::matrix_a, m, n, k, A, LayoutA> left;
    wmma::fragment<wmma::matrix_b, m, n, k, A, LayoutB> right;
    wmma::fragment<wmma::accumulator, m, n, k, C> sum;
    const auto layout = by_rows ? wmma::mem_row_major : wmma::mem_col_major;
    wmma::load_matrix_sync(left, a, std::is_same<LayoutA, Row>::value ? k : m);
    wmma::load_matrix_sync(right, b, std::is_same<LayoutB, Row>::value ? n : k);
    wmma::load_matrix_sync(sum, c, by_rows ? n : m, layout);
    wmma::mma_sync(sum, left, right, sum);
    for (int i = 0; i < sum.num_elements; ++i)
        sum.x[i] = sum.x[i] + sum.x[i];
    wmma::store_matrix_sync(c, sum, by_rows ? n : m, layout);
}

int wrong = 0;

template <class A, class C, int m, int n, int k, class LayoutA, class LayoutB>
void test(const char *what, bool by_rows)
{
    using Stored = typename Stored<A>::Type;
    const bool a_rows = std::is_same<LayoutA, Row>::value, b_rows = std::is_same<LayoutB, Row>::value;
    std::vector<Stored> a(m * k), b(n * k);
    std::vector<C> c(m * n);
    std::vector<double> want(m * n);
    for (int i = 0; i < m * k; ++i)
        a[i] = element_of<Stored>(i * 7 % 5);
    for (int i = 0; i < n * k; ++i)
        b[i] = element_of<Stored>(i * 3 % 4);
    for (int i = 0; i < m * n; ++i)
        c[i] = element_of<C>(i % 9);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            const int at = by_rows ? i * n + j : j * m + i;
            double sum = double(c[at]);
            for (int q = 0; q < k; ++q)
                sum += double(a[a_rows ? i * k + q : q * m + i]) * double(b[b_rows ? q * n + j : j * k + q]);
            want[at] = 2 * sum;
        }
    Stored *da = device_copy(a), *db = device_copy(b);
    C *dc = device_copy(c);
    product<A, C, m, n, k, LayoutA, LayoutB><<<1, 32>>>(da, db, dc, by_rows);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(c.data(), dc, c.size() * sizeof(C), cudaMemcpyDeviceToHost));
    for (int i = 0; i < m * n; ++i)
        if (double(c[i]) != want[i] && wrong++ < 5)
            printf("%s %dx%dx%d: element %d is %g and not %g\n", what, m, n, k, i, double(c[i]), want[i]);
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
}

template <class A, class C, int m, int n, int k>
void layouts(const char *what)
{
    test<A, C, m, n, k, Row, Column>(what, true);
    test<A, C, m, n, k, Column, Row>(what, false);
    test<A, C, m, n, k, Row, Row>(what, false);
    test<A, C, m, n, k, Column, Column>(what, true);
}

template <class A, class C>
void shapes(const char *what)
{
    layouts<A, C, 16, 16, 16>(what);
    layouts<A, C, 32, 8, 16>(what);
    layouts<A, C, 8, 32, 16>(what);
}

/// Single bits, and the integers of four bits of older GPUs.
__global__ void bits(const unsigned *a, const unsigned *b, int *c, int *d)
{
    namespace few = wmma::experimental;
    wmma::fragment<wmma::matrix_a, 8, 8, 128, few::precision::b1, Row> left;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, few::precision::b1, Column> right;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> differ, both;
    wmma::fill_fragment(differ, 1);
    wmma::fill_fragment(both, 0);
    wmma::load_matrix_sync(left, a, 128);
    wmma::load_matrix_sync(right, b, 128);
    wmma::bmma_sync(differ, left, right, differ, few::bmmaBitOpXOR);
    wmma::bmma_sync(both, left, right, both, few::bmmaBitOpAND);
    wmma::store_matrix_sync(c, differ, 8, wmma::mem_row_major);
    wmma::store_matrix_sync(d, both, 8, wmma::mem_row_major);
}

void test_bits()
{
    std::vector<unsigned> a(32), b(32);
    std::vector<int> c(64), d(64);
    Random random(5);
    for (auto &word : a)
        word = random.next();
    for (auto &word : b)
        word = random.next();
    unsigned *da = device_copy(a), *db = device_copy(b);
    int *dc = device_copy(c), *dd = device_copy(d);
    bits<<<1, 32>>>(da, db, dc, dd);
    CHECK(cudaMemcpy(c.data(), dc, 64 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(d.data(), dd, 64 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; ++i) {
        int differ = 1, both = 0;
        for (int word = 0; word < 4; ++word)
            for (unsigned bit = 0; bit < 32; ++bit) {
                const unsigned left = a[i / 8 * 4 + word] >> bit & 1, right = b[i % 8 * 4 + word] >> bit & 1;
                differ += left ^ right;
                both += left & right;
            }
        if ((c[i] != differ || d[i] != both) && wrong++ < 5)
            printf("bits: element %d is %d, %d and not %d, %d\n", i, c[i], d[i], differ, both);
    }
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    CHECK(cudaFree(dd));
}

/// 64 by 64, four warps in a block: each has 16 rows, and all share the tiles of B in shared memory.
constexpr int kSize = 64;
__global__ void tiled(const half *a, const half *b, float *c)
{
    __shared__ __align__(32) half tile[16 * (kSize + 8)];
    const int warp = threadIdx.x / 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[kSize / 16];
    for (auto &sum : sums)
        wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < kSize; k += 16) {
        __syncthreads();
        for (int i = threadIdx.x; i < 16 * kSize; i += blockDim.x)
            tile[i / kSize * (kSize + 8) + i % kSize] = b[(k + i / kSize) * kSize + i % kSize];
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, Row> left;
        wmma::load_matrix_sync(left, a + warp * 16 * kSize + k, kSize);
        for (int column = 0; column < kSize / 16; ++column) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, Row> right;
            wmma::load_matrix_sync(right, tile + column * 16, kSize + 8);
            wmma::mma_sync(sums[column], left, right, sums[column]);
        }
    }
    for (int column = 0; column < kSize / 16; ++column)
        wmma::store_matrix_sync(c + warp * 16 * kSize + column * 16, sums[column], kSize, wmma::mem_row_major);
}

void test_tiled()
{
    std::vector<half> a(kSize * kSize), b(kSize * kSize);
    std::vector<float> c(kSize * kSize);
    Random random(7);
    for (auto &value : a)
        value = __float2half(float(random.below(17)) - 8);
    for (auto &value : b)
        value = __float2half(float(random.below(9)) / 4);
    half *da = device_copy(a), *db = device_copy(b);
    float *dc = device_copy(c);
    tiled<<<1, 128>>>(da, db, dc);
    CHECK(cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < kSize * kSize; ++i) {
        float want = 0;
        for (int k = 0; k < kSize; ++k)
            want += __half2float(a[i / kSize * kSize + k]) * __half2float(b[k * kSize + i % kSize]);
        if (c[i] != want && wrong++ < 5)
            printf("tiled: element %d is %g and not %g\n", i, c[i], want);
    }
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
}

int main()
{
    shapes<half, float>("half to float");
    shapes<half, half>("half");
    shapes<__nv_bfloat16, float>("bfloat16");
    shapes<signed char, int>("signed char");
    shapes<unsigned char, int>("unsigned char");
    layouts<wmma::precision::tf32, float, 16, 16, 8>("tf32");
    layouts<double, double, 8, 8, 4>("double");
    test_bits();
    test_tiled();
    printf(wrong == 0 ? "PASS\n" : "FAIL\n");
    return wrong == 0 ? 0 : 1;
}
