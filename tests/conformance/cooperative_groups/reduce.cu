// SPDX-License-Identifier: Apache-2.0
// cg::reduce: operators, element types, group types.  Floating point inputs are small integers or
// halves, so that every order of evaluation gives the same result.
#include "cgtest.h"

#include <cooperative_groups/reduce.h>
#include <cuda/std/functional>

template <typename T>
__device__ T input(unsigned i) {
    return (T)(mix(i) % 101);
}
template <>
__device__ unsigned input<unsigned>(unsigned i) {
    return mix(i);
}
template <>
__device__ unsigned long long input<unsigned long long>(unsigned i) {
    return ((unsigned long long)mix(i) << 32) | mix(i + 17);
}
template <>
__device__ int input<int>(unsigned i) {
    return (int)(mix(i) % 20001) - 10000;
}
template <>
__device__ long long input<long long>(unsigned i) {
    return ((long long)(mix(i) % 2001) - 1000) * 3000000007ll;
}
template <>
__device__ short input<short>(unsigned i) {
    return (short)((int)(mix(i) % 41) - 20);
}
template <>
__device__ float input<float>(unsigned i) {
    return ((int)(mix(i) % 2001) - 1000) * 0.5f;
}
template <>
__device__ double input<double>(unsigned i) {
    return ((int)(mix(i) % 200001) - 100000) * 0.25;
}
__device__ inline i64 show(double v) { return (i64)(v * 4); }
__device__ inline i64 show(float v) { return (i64)(v * 4); }
__device__ inline i64 show(long long v) { return v; }
__device__ inline i64 show(unsigned long long v) { return (i64)v; }
__device__ inline i64 show(int v) { return v; }
__device__ inline i64 show(unsigned v) { return v; }
__device__ inline i64 show(short v) { return v; }
__device__ inline i64 show(unsigned char v) { return v; }
__device__ inline i64 show(signed char v) { return v; }

// ---- arithmetic operators, any type
template <typename T, typename G>
__device__ void arith(const G &g, i64 *o, unsigned n, unsigned i) {
    T v = input<T>(i);
    o[0 * n + i] = show(cg::reduce(g, v, cg::plus<T>()));
    o[1 * n + i] = show(cg::reduce(g, v, cg::less<T>()));
    o[2 * n + i] = show(cg::reduce(g, v, cg::greater<T>()));
    const T cv = v;
    o[3 * n + i] = show(cg::reduce(g, cv, [](T a, T b) -> T { return a < b ? b : a; }));
}
// ---- bit operators, integral types
template <typename T, typename G>
__device__ void bits(const G &g, i64 *o, unsigned n, unsigned i) {
    T v = input<T>(i + 500);
    o[0 * n + i] = show(cg::reduce(g, (T)(v | (T)1), cg::bit_and<T>()));
    o[1 * n + i] = show(cg::reduce(g, v, cg::bit_or<T>()));
    o[2 * n + i] = show(cg::reduce(g, v, cg::bit_xor<T>()));
}

template <unsigned N, typename T>
__global__ void k_arith(i64 *o, unsigned n) {
    auto t = cg::tiled_partition<N>(cg::this_thread_block());
    arith<T>(t, o, n, lin_gid());
}
template <unsigned N, typename T>
__global__ void k_bits(i64 *o, unsigned n) {
    cg::thread_block_tile<N> t = cg::tiled_partition<N>(cg::this_thread_block());
    bits<T>(t, o, n, lin_gid());
}
template <typename T>
__global__ void k_arith_c(i64 *o, unsigned n, unsigned pattern) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    cg::coalesced_group g = cg::binary_partition(w, (pattern >> w.thread_rank()) & 1);
    arith<T>(g, o, n, lin_gid());
}
template <typename T>
__global__ void k_bits_c(i64 *o, unsigned n, unsigned pattern) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    cg::coalesced_group g = cg::binary_partition(w, (pattern >> w.thread_rank()) & 1);
    bits<T>(g, o, n, lin_gid());
}

static const std::vector<std::string> kArith = {"plus", "less", "greater", "lambda_max"};
static const std::vector<std::string> kBits = {"and", "or", "xor"};

template <unsigned N, typename T>
void do_arith(const char *type, dim3 block = dim3(N < 64 ? 64 : 2 * N <= 1024 ? 2 * N : N)) {
    unsigned n = count(block);
    Dev<i64> d(4 * n, 0xff);
    k_arith<N, T><<<1, block>>>(d.p, n);
    SYNC();
    emit_fields("reduce/N" + num(N) + "/" + type, kArith, d);
}
template <unsigned N, typename T>
void do_bits(const char *type, dim3 block = dim3(N < 64 ? 64 : 2 * N <= 1024 ? 2 * N : N)) {
    unsigned n = count(block);
    Dev<i64> d(3 * n, 0xff);
    k_bits<N, T><<<1, block>>>(d.p, n);
    SYNC();
    emit_fields("reduce/N" + num(N) + "/" + type, kBits, d);
}
template <typename T>
void do_coalesced(const char *type, bool with_bits) {
    for (unsigned pattern : {0xffffffffu, 0x33333333u, 0x00000001u, 0xfff7ff7fu}) {
        char name[80];
        snprintf(name, sizeof name, "reduce/coalesced/%s/%08x", type, pattern);
        Dev<i64> d(4 * 32, 0xff);
        k_arith_c<T><<<1, 32>>>(d.p, 32, pattern);
        SYNC();
        emit_fields(name, kArith, d);
    }
    (void)with_bits;
}
template <typename T>
void do_coalesced_bits(const char *type) {
    for (unsigned pattern : {0xffffffffu, 0x0f0f00ffu}) {
        char name[80];
        snprintf(name, sizeof name, "reduce/coalesced/%s/%08x", type, pattern);
        Dev<i64> d(3 * 32, 0xff);
        k_bits_c<T><<<1, 32>>>(d.p, 32, pattern);
        SYNC();
        emit_fields(name, kBits, d);
    }
}

// ---- structs, functors, ways of passing value and operator
struct MinMax {
    int lo, hi;
    long long sum;
};
struct MergeMinMax {
    __device__ MinMax operator()(const MinMax &a, const MinMax &b) const {
        MinMax r;
        r.lo = a.lo < b.lo ? a.lo : b.lo;
        r.hi = a.hi > b.hi ? a.hi : b.hi;
        r.sum = a.sum + b.sum;
        return r;
    }
};
struct ArgMax {
    float v;
    int i;
};
template <typename T>
struct MulMod {  // a user template functor of one type parameter
    __device__ T operator()(T a, T b) const { return (T)((a * b) % 10007); }
};
struct Big {
    int a[8];
};
__device__ int free_max(int a, int b) { return a > b ? a : b; }

template <typename G>
__device__ void special(const G &g, i64 *o, unsigned n, unsigned i) {
    int v = (int)(mix(i) % 1000);
    MinMax m = {v, v, v};
    MinMax r = cg::reduce(g, m, MergeMinMax());
    o[0 * n + i] = r.lo * 100000000ll + r.hi * 100000ll + r.sum;
    ArgMax a = {(float)(v / 10), (int)g.thread_rank()};
    ArgMax b = cg::reduce(g, a, [](const ArgMax &x, const ArgMax &y) -> ArgMax {
        return (x.v > y.v || (x.v == y.v && x.i < y.i)) ? x : y;
    });
    o[1 * n + i] = (i64)b.v * 1000 + b.i;
    o[2 * n + i] = cg::reduce(g, v % 50 + 1, MulMod<int>());
    Big big;
    for (int k = 0; k < 8; k++) big.a[k] = v + k;
    Big bs = cg::reduce(g, big, [](const Big &x, const Big &y) {
        Big z;
        for (int k = 0; k < 8; k++) z.a[k] = x.a[k] + y.a[k];
        return z;
    });
    i64 h = 0;
    for (int k = 0; k < 8; k++) h = h * 7 + bs.a[k];
    o[3 * n + i] = h;
    int4 q = make_int4(v, -v, v * 2, 1);
    int4 qs = cg::reduce(g, q, [](int4 x, int4 y) { return make_int4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w); });
    o[4 * n + i] = qs.x + 3ll * qs.y + 5ll * qs.z + 1000000ll * qs.w;
}
template <typename G>
__device__ void passing(const G &g, i64 *o, unsigned n, unsigned i) {
    int v = (int)(mix(i) % 1000);
    cg::plus<int> op;
    const cg::plus<int> cop;
    cg::less<float> fop;
    o[0 * n + i] = cg::reduce(g, v, op);
    o[1 * n + i] = cg::reduce(g, v, cop);
    o[2 * n + i] = (i64)cg::reduce(g, (float)v, fop);
    o[3 * n + i] = cg::reduce(g, v, cuda::std::plus<int>());
    o[4 * n + i] = cg::reduce(g, v, free_max);
    auto lambda = [=](int a, int b) { return a ^ b ^ (int)(n & 0); };
    o[5 * n + i] = cg::reduce(g, v, lambda);
    o[6 * n + i] = cg::reduce(g, 1, cg::plus<int>());
    o[7 * n + i] = cg::reduce(g, (bool)(v & 1), cg::bit_or<bool>()) + 2 * cg::reduce(g, (bool)(v & 1), cg::bit_and<bool>());
}
template <unsigned N>
__global__ void k_special(i64 *o, unsigned n) {
    auto t = cg::tiled_partition<N>(cg::this_thread_block());
    special(t, o, n, lin_gid());
}
__global__ void k_special_c(i64 *o, unsigned n) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    special(cg::binary_partition(w, w.thread_rank() % 3 == 0), o, n, lin_gid());
}
template <unsigned N>
__global__ void k_passing(i64 *o, unsigned n) {
    auto t = cg::tiled_partition<N>(cg::this_thread_block());
    passing(t, o, n, lin_gid());
}
__global__ void k_passing_c(i64 *o, unsigned n) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    passing(cg::labeled_partition(w, w.thread_rank() / 5), o, n, lin_gid());
}
static const std::vector<std::string> kSpecial = {"minmax", "argmax", "mulmod", "big32", "int4"};
static const std::vector<std::string> kPassing = {"op_lvalue", "op_const", "op_float", "std_plus", "function", "lambda_capture", "count", "bool"};

// ---- a whole block reduced in two stages
__global__ void k_block(const int *in, int n, long long *out) {
    __shared__ long long part[32];
    auto b = cg::this_thread_block();
    auto w = cg::tiled_partition<32>(b);
    long long v = 0;
    for (int i = (int)b.thread_rank(); i < n; i += (int)b.size()) v += in[i];
    long long s = cg::reduce(w, v, cg::plus<long long>());
    if (w.thread_rank() == 0) part[w.meta_group_rank()] = s;
    b.sync();
    if (w.meta_group_rank() == 0) {
        long long x = w.thread_rank() < w.meta_group_size() ? part[w.thread_rank()] : 0;
        x = cg::reduce(w, x, cg::plus<long long>());
        if (w.thread_rank() == 0) *out = x;
    }
}

static void operators() {
    do_arith<1, int>("int");
    do_arith<2, int>("int");
    do_arith<4, int>("int");
    do_arith<8, int>("int");
    do_arith<16, int>("int");
    do_arith<32, int>("int");
    do_arith<64, int>("int");
    do_arith<128, int>("int");
    do_arith<256, int>("int");
    do_arith<512, int>("int");
    do_arith<1024, int>("int");
    do_arith<8, unsigned>("uint", dim3(5, 8));
    do_arith<32, unsigned>("uint", dim3(8, 4, 3));
    do_arith<128, unsigned>("uint", dim3(16, 16));
    do_arith<32, long long>("ll");
    do_arith<64, long long>("ll");
    do_arith<32, unsigned long long>("ull");
    do_arith<4, unsigned long long>("ull");
    do_arith<32, short>("short");
    do_arith<8, short>("short");
    do_arith<16, unsigned char>("uchar");
    do_arith<32, signed char>("schar");
    do_arith<32, float>("float");
    do_arith<16, float>("float");
    do_arith<256, float>("float");
    do_arith<32, double>("double");
    do_arith<2, double>("double");
    do_arith<64, double>("double");
    do_bits<32, int>("int");
    do_bits<16, unsigned>("uint");
    do_bits<8, unsigned>("uint");
    do_bits<32, unsigned long long>("ull");
    do_bits<64, unsigned>("uint");
    do_bits<512, unsigned long long>("ull");
    do_bits<32, unsigned char>("uchar");
    do_coalesced<int>("int", true);
    do_coalesced<unsigned>("uint", true);
    do_coalesced<long long>("ll", true);
    do_coalesced<double>("double", false);
    do_coalesced_bits<unsigned>("uint");
    do_coalesced_bits<unsigned long long>("ull");
}

static void values() {
    {
        const unsigned n = 64;
        Dev<i64> a(5 * n, 0xff), b(8 * n, 0xff);
        k_special<32><<<1, n>>>(a.p, n);
        SYNC();
        emit_fields("reduce/special/N32", kSpecial, a);
        k_special<8><<<1, n>>>(a.p, n);
        SYNC();
        emit_fields("reduce/special/N8", kSpecial, a);
        k_special_c<<<2, n / 2>>>(a.p, n);
        SYNC();
        emit_fields("reduce/special/coalesced", kSpecial, a);
        k_passing<32><<<1, n>>>(b.p, n);
        SYNC();
        emit_fields("reduce/passing/N32", kPassing, b);
        k_passing<4><<<1, n>>>(b.p, n);
        SYNC();
        emit_fields("reduce/passing/N4", kPassing, b);
        k_passing<64><<<1, n>>>(b.p, n);
        SYNC();
        emit_fields("reduce/passing/N64", kPassing, b);
        k_passing_c<<<1, n>>>(b.p, n);
        SYNC();
        emit_fields("reduce/passing/coalesced", kPassing, b);
    }
    for (int n : {1, 100, 5000}) {
        std::vector<int> in(n);
        long long want = 0;
        for (int i = 0; i < n; i++) want += in[i] = (int)(mix((unsigned)i) % 100000);
        Dev<int> di(n);
        di.put(in);
        Dev<long long> out(1);
        k_block<<<1, 256>>>(di.p, n, out.p);
        SYNC();
        require(out.get()[0] == want, "block reduce");
        emit("reduce/block/" + num(n), out.get()[0]);
    }
}

int main() {
    operators();
    values();
    return finish();
}
