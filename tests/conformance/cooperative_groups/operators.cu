// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of numbers that overflow, of NaNs and signed zeroes, of bool and characters; operators of libcu++
// beside those of cooperative groups.
#include "cgtest.h"
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/functional>
#include <cuda/std/functional>
#include <climits>
__device__ i64 show(bool v) { return v; }
__device__ i64 show(signed char v) { return v; }
__device__ i64 show(unsigned short v) { return v; }
__device__ i64 show(float v) { return (unsigned)__float_as_int(v); }
template <class T>
__device__ T big(unsigned i) {
    return (T)(((u64)mix(i) << 32 | mix(i + 99)) >> (i % 5));
}
template <>
__device__ bool big<bool>(unsigned i) {
    return mix(i) % 8 == 0;
}
template <>
__device__ float big<float>(unsigned i) {
    switch (mix(i) % 6) {
        case 0:
            return 0.0f;
        case 1:
            return -0.0f;
        case 2:
            return __int_as_float(0x7fffffff);
        case 3:
            return -1.5f;
        case 4:
            return __int_as_float(0xff800000);
        default:
            return 1e-40f;
    }
}
template <class T, class G>
__device__ void all(const G &g, i64 *o, unsigned n, unsigned i) {
    T v = big<T>(i);
    o[0 * n + i] = show(cg::reduce(g, v, cg::less<T>()));
    o[1 * n + i] = show(cg::reduce(g, v, cg::greater<T>()));
    o[2 * n + i] = show(cg::inclusive_scan(g, v, cg::less<T>()));
    o[3 * n + i] = show(cg::exclusive_scan(g, v, cg::greater<T>()));
    T w = v;
    o[4 * n + i] = show(cg::reduce(g, w, cg::plus<T>()));
    o[5 * n + i] = show(cg::inclusive_scan(g, w));
    o[6 * n + i] = show(cg::exclusive_scan(g, w));
    o[7 * n + i] = show(cg::inclusive_scan(g, w, cg::plus<T>()));
    o[8 * n + i] = show(cg::exclusive_scan(g, w, cg::plus<T>()));
    o[9 * n + i] = show(cg::reduce(g, v, cuda::std::plus<T>()));
    o[10 * n + i] = show(cg::exclusive_scan(g, v, cuda::std::plus<T>()));
    o[11 * n + i] = show(cg::reduce(g, v, cuda::maximum<T>()));
    o[12 * n + i] = show(cg::reduce(g, v, cuda::minimum<T>()));
    o[13 * n + i] = show(cg::inclusive_scan(g, v, cuda::maximum<T>()));
    o[14 * n + i] = show(cg::inclusive_scan(g, v, [](const T &a, const T &b) -> T { return a < b ? a : b; }));
}
static const std::vector<std::string> kAll = {"less",    "greater", "iless",  "egreater", "plus", "inc",  "exc",   "incplus",
                                              "excplus", "stdplus", "excstd", "max",      "min",  "imax", "lambda"};
template <class T, class G>
__device__ void bits(const G &g, i64 *o, unsigned n, unsigned i) {
    T v = big<T>(i);
    o[0 * n + i] = show(cg::reduce(g, v, cg::bit_and<T>()));
    o[1 * n + i] = show(cg::reduce(g, v, cg::bit_or<T>()));
    o[2 * n + i] = show(cg::reduce(g, v, cg::bit_xor<T>()));
    o[3 * n + i] = show(cg::inclusive_scan(g, v, cg::bit_xor<T>()));
    o[4 * n + i] = show(cg::exclusive_scan(g, v, cg::bit_and<T>()));
    o[5 * n + i] = show(cg::exclusive_scan(g, v, cg::bit_or<T>()));
    o[6 * n + i] = show(cg::reduce(g, v, cuda::std::bit_xor<T>()));
    o[7 * n + i] = show(cg::reduce(g, v, cuda::std::multiplies<T>()));
    o[8 * n + i] = show(cg::inclusive_scan(g, v, cuda::std::bit_and<T>()));
}
static const std::vector<std::string> kBits = {"and", "or", "xor", "ixor", "eand", "eor", "stdxor", "mul", "istdand"};
template <class T, unsigned N>
__global__ void k_all(i64 *o, unsigned n) {
    all<T>(cg::tiled_partition<N>(cg::this_thread_block()), o, n, lin_gid());
}
template <class T, unsigned N>
__global__ void k_bits(i64 *o, unsigned n) {
    bits<T>(cg::tiled_partition<N>(cg::this_thread_block()), o, n, lin_gid());
}
template <class T>
__global__ void k_call(i64 *o, unsigned n, unsigned pattern) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    all<T>(cg::binary_partition(w, (pattern >> w.thread_rank()) & 1), o, n, lin_gid());
}
template <class T>
__global__ void k_cbits(i64 *o, unsigned n, unsigned pattern) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    bits<T>(cg::binary_partition(w, (pattern >> w.thread_rank()) & 1), o, n, lin_gid());
}
template <class T, unsigned N>
void tile(const char *name) {
    unsigned n = N < 32 ? 32 : N;
    Dev<i64> d(15 * n, 0xff);
    k_all<T, N><<<1, n>>>(d.p, n);
    SYNC();
    emit_fields(std::string("all/") + name + "/" + num(N), kAll, d);
}
template <class T, unsigned N>
void tile_bits(const char *name) {
    unsigned n = N < 32 ? 32 : N;
    Dev<i64> d(9 * n, 0xff);
    k_bits<T, N><<<1, n>>>(d.p, n);
    SYNC();
    emit_fields(std::string("bits/") + name + "/" + num(N), kBits, d);
}
template <class T>
void type(const char *name) {
    tile<T, 16>(name), tile<T, 32>(name);
    for (unsigned pattern : {0x55555557u, 0x0000ff00u}) {
        char s[64];
        snprintf(s, sizeof s, "all/%s/c%08x", name, pattern);
        Dev<i64> d(15 * 32, 0xff);
        k_call<T><<<1, 32>>>(d.p, 32, pattern);
        SYNC();
        emit_fields(s, kAll, d);
    }
}
template <class T>
void integer(const char *name) {
    type<T>(name);
    tile_bits<T, 32>(name);
    for (unsigned pattern : {0x0f0f0ff7u}) {
        char s[64];
        snprintf(s, sizeof s, "bits/%s/c%08x", name, pattern);
        Dev<i64> d(9 * 32, 0xff);
        k_cbits<T><<<1, 32>>>(d.p, 32, pattern);
        SYNC();
        emit_fields(s, kBits, d);
    }
}
int main() {
    integer<bool>("bool"), integer<signed char>("schar"), integer<unsigned short>("ushort"), type<float>("float");
    return finish();
}
