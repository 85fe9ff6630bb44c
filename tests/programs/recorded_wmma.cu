// SPDX-License-Identifier: Apache-2.0
//
// Which elements the fragments of nvcuda::wmma hold after a load, and products of random matrices: as on an H200.
// CUDA's guide leaves the first open, but programs that change x[i] rely on it.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <string>
#include <type_traits>

#include "common.h"
#include "recorded_wmma.h"

using namespace nvcuda;
using u32 = unsigned;
using u64 = unsigned long long;
using std::to_string;
using wmma::accumulator;
using wmma::col_major;
using wmma::fragment;
using wmma::matrix_a;
using wmma::matrix_b;
using wmma::row_major;
namespace small = wmma::experimental::precision;

int next_recorded = 0, wrong = 0;

/// The next of kRecorded must be this.
void compare(const std::string &name, const std::vector<unsigned char> &bytes)
{
    u64 hash = 1469598103934665603ull;
    for (unsigned char byte : bytes)
        hash = (hash ^ byte) * 1099511628211ull;
    const Recorded &recorded = kRecorded[next_recorded++];
    if (name == recorded.name && hash == recorded.hash)
        return;
    printf("%s: not what the GPU has (%s)\n", name.c_str(), recorded.name);
    ++wrong;
}

template <class F>
__device__ void write_out(const F &f, unsigned char *to)
{
    const unsigned char *bytes = reinterpret_cast<const unsigned char *>(f.x);
    for (int i = 0; i < int(sizeof f.x); ++i)
        to[threadIdx.x * sizeof f.x + i] = bytes[i];
}
template <class F, class Memory>
__global__ void loaded(const Memory *from, unsigned char *to, int ldm)
{
    F f;
    wmma::load_matrix_sync(f, from, ldm);
    write_out(f, to);
}
template <class F, class Memory>
__global__ void loaded_sum(const Memory *from, unsigned char *to, int ldm, wmma::layout_t layout)
{
    F f;
    wmma::load_matrix_sync(f, from, ldm, layout);
    write_out(f, to);
}

template <class T>
void put(T &x, int value)
{
    x = T(float(value));
}

/// A matrix whose elements are `bits` of their own numbers, from bit `bits` * pass on. `size`: bits of an element.
template <class F, class Memory, bool kIsSum>
void show(const std::string &name, int rows, int columns, bool by_columns, int bits, int size, int passes)
{
    for (int pass = 0; pass < passes; ++pass) {
        std::vector<Memory> matrix(rows * columns * (size < 8 ? size : 8 * sizeof(Memory)) / 8 / sizeof(Memory));
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) {
                const int at = by_columns ? column * rows + row : row * columns + column;
                const int value = (row * columns + column) >> (bits * pass) & ((1 << bits) - 1);
                if constexpr (std::is_same_v<Memory, unsigned>)
                    matrix[at * size / 32] |= unsigned(value) << at * size % 32;
                else
                    put(matrix[at], value);
            }
        Memory *from = device_copy(matrix);
        unsigned char *to = device_zeros<unsigned char>(32 * sizeof F::x);
        const int ldm = by_columns ? rows : columns;
        if constexpr (kIsSum)
            loaded_sum<F><<<1, 32>>>(from, to, ldm, by_columns ? wmma::mem_col_major : wmma::mem_row_major);
        else
            loaded<F><<<1, 32>>>(from, to, ldm);
        CHECK(cudaDeviceSynchronize());
        compare(name + " pass " + to_string(pass) + " num_elements " + to_string(int(F::num_elements)) + " bytes " +
                    to_string(sizeof F::x),
                host_copy(to, 32 * sizeof F::x));
        CHECK(cudaFree(from));
        CHECK(cudaFree(to));
    }
}

__device__ u32 random_bits(int tile, int which, int i)
{
    u64 x = (u64(tile) << 20 | which << 16 | i) + 0x9e3779b97f4a7c15ull;
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return u32((x ^ x >> 31) >> 20);
}

/// Exponents are 24 apart, or 6 in every second matrix.
__device__ float random_number(int tile, int which, int i)
{
    const u32 bits = random_bits(tile, which, i);
    const int exponent = int(bits & 31) % 25 - 12;
    const float size = 1.0f + (bits >> 5 & 0x3ff) / 1024.0f;
    return ldexpf(bits >> 31 ? -size : size, tile & 1 ? exponent / 4 : exponent);
}

template <class T, bool kIsInteger>
__device__ void fill(T *matrix, int count, int tile, int which)
{
    for (int i = threadIdx.x; i < count; i += 32)
        if constexpr (kIsInteger)
            matrix[i] = T(random_bits(tile, which, i));
        else
            matrix[i] = T(random_number(tile, which, i));
}

template <class A, class C, int m, int n, int k>
__global__ void product(C *out)
{
    __shared__ __align__(32) A left[m * k], right[k * n];
    __shared__ __align__(32) C sum[m * n];
    const int tile = blockIdx.x;
    fill<A, sizeof(A) == 1>(left, m * k, tile, 0);
    fill<A, sizeof(A) == 1>(right, k * n, tile, 1);
    fill<C, sizeof(A) == 1>(sum, m * n, tile, 2);
    __syncwarp();
    using Element = std::conditional_t<std::is_same_v<A, float>, wmma::precision::tf32, A>;
    fragment<matrix_a, m, n, k, Element, row_major> a;
    fragment<matrix_b, m, n, k, Element, col_major> b;
    fragment<accumulator, m, n, k, C> c;
    wmma::load_matrix_sync(a, left, k);
    wmma::load_matrix_sync(b, right, k);
    wmma::load_matrix_sync(c, sum, n, wmma::mem_row_major);
    if (tile & 2)
        for (int i = 0; i < c.num_elements; ++i)
            c.x[i] = c.x[i] + c.x[i];
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(out + tile * m * n, c, n, wmma::mem_row_major);
}

template <class A, class C, int m, int n, int k>
void multiply(const char *types)
{
    constexpr int kTiles = 256;
    C *out = nullptr;
    CHECK(cudaMalloc(&out, kTiles * m * n * sizeof(C)));
    product<A, C, m, n, k><<<kTiles, 32>>>(out);
    CHECK(cudaDeviceSynchronize());
    compare("product " + std::string(types) + " m" + to_string(m) + "n" + to_string(n) + "k" + to_string(k),
            host_copy(reinterpret_cast<unsigned char *>(out), kTiles * m * n * sizeof(C)));
    CHECK(cudaFree(out));
}

template <class T, class Memory, int m, int n, int k>
void show_row_col(const std::string &type, int bits, int size, int passes)
{
    const std::string shape = type + " " + to_string(m) + " " + to_string(n) + " " + to_string(k);
    show<fragment<matrix_a, m, n, k, T, row_major>, Memory, false>("a " + shape + " row", m, k, false, bits, size, passes);
    show<fragment<matrix_b, m, n, k, T, col_major>, Memory, false>("b " + shape + " col", k, n, true, bits, size, passes);
}
template <class T, class Memory, int m, int n, int k>
void show_all(const std::string &type, int bits, int size, int passes)
{
    show_row_col<T, Memory, m, n, k>(type, bits, size, passes);
    const std::string shape = type + " " + to_string(m) + " " + to_string(n) + " " + to_string(k);
    show<fragment<matrix_a, m, n, k, T, col_major>, Memory, false>("a " + shape + " col", m, k, true, bits, size, passes);
    show<fragment<matrix_b, m, n, k, T, row_major>, Memory, false>("b " + shape + " row", k, n, false, bits, size, passes);
}
template <class C, int m, int n, int k>
void show_sum(const std::string &type)
{
    const std::string shape = type + " " + to_string(m) + " " + to_string(n) + " " + to_string(k);
    using F = fragment<accumulator, m, n, k, C>;
    show<F, C, true>("c " + shape + " row", m, n, false, 11, 32, 1);
    show<F, C, true>("c " + shape + " col", m, n, true, 11, 32, 1);
}
template <int m, int n, int k>
void show_sums()
{
    show_sum<float, m, n, k>("float");
    show_sum<half, m, n, k>("half");
    show_sum<int, m, n, k>("int");
}

void show_fragments()
{
    show_all<half, half, 16, 16, 16>("half", 11, 16, 1);
    show_all<half, half, 32, 8, 16>("half", 11, 16, 1);
    show_all<half, half, 8, 32, 16>("half", 11, 16, 1);
    show_all<__nv_bfloat16, __nv_bfloat16, 16, 16, 16>("bf16", 8, 16, 1);
    show_all<__nv_bfloat16, __nv_bfloat16, 32, 8, 16>("bf16", 8, 16, 2);
    show_all<__nv_bfloat16, __nv_bfloat16, 8, 32, 16>("bf16", 8, 16, 2);
    show_all<signed char, signed char, 16, 16, 16>("s8", 7, 8, 2);
    show_all<signed char, signed char, 32, 8, 16>("s8", 7, 8, 2);
    show_all<signed char, signed char, 8, 32, 16>("s8", 7, 8, 2);
    show_all<unsigned char, unsigned char, 16, 16, 16>("u8", 8, 8, 1);
    show_all<wmma::precision::tf32, float, 16, 16, 8>("tf32", 11, 32, 1);
    show_all<double, double, 8, 8, 4>("double", 11, 64, 1);
    show_sums<16, 16, 16>();
    show_sums<32, 8, 16>();
    show_sums<8, 32, 16>();
    show_sum<float, 16, 16, 8>("float");
    show_sum<double, 8, 8, 4>("double");
    show_sum<int, 8, 8, 32>("int");
    show_sum<int, 8, 8, 128>("int");
    show_row_col<small::s4, unsigned, 8, 8, 32>("s4", 4, 4, 2);
    show_row_col<small::u4, unsigned, 8, 8, 32>("u4", 4, 4, 2);
    show_row_col<small::b1, unsigned, 8, 8, 128>("b1", 1, 1, 10);
}

int main()
{
    show_fragments();
    multiply<half, float, 16, 16, 16>("half float");
    multiply<half, float, 32, 8, 16>("half float");
    multiply<half, float, 8, 32, 16>("half float");
    multiply<half, half, 16, 16, 16>("half half");
    multiply<half, half, 32, 8, 16>("half half");
    multiply<half, half, 8, 32, 16>("half half");
    multiply<__nv_bfloat16, float, 16, 16, 16>("bf16");
    multiply<__nv_bfloat16, float, 32, 8, 16>("bf16");
    multiply<__nv_bfloat16, float, 8, 32, 16>("bf16");
    multiply<float, float, 16, 16, 8>("tf32");
    multiply<double, double, 8, 8, 4>("f64");
    multiply<signed char, int, 16, 16, 16>("s8");
    multiply<signed char, int, 32, 8, 16>("s8");
    multiply<signed char, int, 8, 32, 16>("s8");
    multiply<unsigned char, int, 16, 16, 16>("u8");
    wrong += next_recorded != sizeof kRecorded / sizeof *kRecorded;
    printf(wrong == 0 ? "PASS\n" : "FAIL\n");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
