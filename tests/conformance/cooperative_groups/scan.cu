// SPDX-License-Identifier: Apache-2.0
// cg::inclusive_scan / cg::exclusive_scan.  Rank 0 of an exclusive scan gets a value initialised
// element (not an identity of the operator): that is what the headers do for every operator.
#include "cgtest.h"

#include <cooperative_groups/scan.h>

template <typename T>
__device__ T input(unsigned i) {
    return (T)(mix(i) % 50);
}
template <>
__device__ unsigned input<unsigned>(unsigned i) {
    return mix(i);
}
template <>
__device__ int input<int>(unsigned i) {
    return (int)(mix(i) % 2001) - 1000;
}
template <>
__device__ long long input<long long>(unsigned i) {
    return ((long long)(mix(i) % 2001) - 1000) * 3000000007ll;
}
template <>
__device__ float input<float>(unsigned i) {
    return ((int)(mix(i) % 2001) - 1000) * 0.5f;
}
template <>
__device__ double input<double>(unsigned i) {
    return ((int)(mix(i) % 200001) - 100000) * 0.25;
}
template <typename T>
__device__ inline i64 show(T v) {
    return (i64)(v * (T)4);
}

template <typename T, typename G>
__device__ void scans(const G &g, i64 *o, unsigned n, unsigned i) {
    T v = input<T>(i);
    const T cv = v;
    o[0 * n + i] = show<T>(cg::inclusive_scan(g, v));
    o[1 * n + i] = show<T>(cg::exclusive_scan(g, v));
    o[2 * n + i] = show<T>(cg::inclusive_scan(g, v, cg::plus<T>()));
    o[3 * n + i] = show<T>(cg::exclusive_scan(g, cv, cg::plus<T>()));
    o[4 * n + i] = show<T>(cg::inclusive_scan(g, v, cg::less<T>()));
    o[5 * n + i] = show<T>(cg::inclusive_scan(g, cv, cg::greater<T>()));
    o[6 * n + i] = show<T>(cg::exclusive_scan(g, v, cg::greater<T>()));
    o[7 * n + i] = show<T>(cg::exclusive_scan(g, v, cg::less<T>()));
    o[8 * n + i] = show<T>(cg::inclusive_scan(g, v, [](T a, T b) -> T { return a < b ? b : a; }));
    o[9 * n + i] = show<T>(cg::exclusive_scan(g, v, [](T a, T b) -> T { return a + b; }));
}
static const std::vector<std::string> kScans = {"inc",     "exc",     "inc_plus",   "exc_plus",   "inc_less",
                                                "inc_gr",  "exc_gr",  "exc_less",   "inc_lambda", "exc_lambda"};

template <typename T, typename G>
__device__ void bit_scans(const G &g, i64 *o, unsigned n, unsigned i) {
    T v = (T)mix(i + 100);
    o[0 * n + i] = (i64)cg::inclusive_scan(g, v, cg::bit_xor<T>());
    o[1 * n + i] = (i64)cg::exclusive_scan(g, v, cg::bit_xor<T>());
    o[2 * n + i] = (i64)cg::inclusive_scan(g, (T)((T)1 << (v % 31)), cg::bit_or<T>());
    o[3 * n + i] = (i64)cg::exclusive_scan(g, (T)((T)1 << (v % 31)), cg::bit_or<T>());
    o[4 * n + i] = (i64)cg::inclusive_scan(g, (T)(v | (T)0xf0), cg::bit_and<T>());
    o[5 * n + i] = (i64)cg::exclusive_scan(g, (T)(v | (T)0xf0), cg::bit_and<T>());
}
static const std::vector<std::string> kBits = {"inc_xor", "exc_xor", "inc_or", "exc_or", "inc_and", "exc_and"};

template <unsigned N, typename T>
__global__ void k_tile(i64 *o, unsigned n) {
    auto t = cg::tiled_partition<N>(cg::this_thread_block());
    scans<T>(t, o, n, lin_gid());
}
template <unsigned N, typename T>
__global__ void k_tile_bits(i64 *o, unsigned n) {
    cg::thread_block_tile<N> t = cg::tiled_partition<N>(cg::this_thread_block());
    bit_scans<T>(t, o, n, lin_gid());
}
template <typename T>
__global__ void k_coalesced(i64 *o, unsigned n, unsigned pattern) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    scans<T>(cg::binary_partition(w, (pattern >> w.thread_rank()) & 1), o, n, lin_gid());
}
template <typename T>
__global__ void k_coalesced_bits(i64 *o, unsigned n, unsigned pattern) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    bit_scans<T>(cg::binary_partition(w, (pattern >> w.thread_rank()) & 1), o, n, lin_gid());
}

template <unsigned N, typename T>
void tile(const char *type, dim3 block = dim3(N < 32 ? 32 : N)) {
    unsigned n = count(block);
    Dev<i64> d(10 * n, 0xff);
    k_tile<N, T><<<1, block>>>(d.p, n);
    SYNC();
    emit_fields("scan/N" + num(N) + "/" + type, kScans, d);
}
template <unsigned N, typename T>
void tile_bits(const char *type, dim3 block = dim3(N < 32 ? 32 : N)) {
    unsigned n = count(block);
    Dev<i64> d(6 * n, 0xff);
    k_tile_bits<N, T><<<1, block>>>(d.p, n);
    SYNC();
    emit_fields("scan/N" + num(N) + "/" + type, kBits, d);
}
template <typename T>
void coalesced(const char *type) {
    for (unsigned pattern : {0xffffffffu, 0x0000ffffu, 0xaaaaaaaau, 0x80000000u, 0xe3f1c70bu}) {
        char name[80];
        snprintf(name, sizeof name, "scan/coalesced/%s/%08x", type, pattern);
        Dev<i64> d(10 * 32, 0xff);
        k_coalesced<T><<<1, 32>>>(d.p, 32, pattern);
        SYNC();
        emit_fields(name, kScans, d);
    }
}

// Structs: running (count, max) pairs; associative and commutative.
struct Run {
    int cnt, mx;
    double sum;
};
template <typename G>
__device__ void struct_scan(const G &g, i64 *o, unsigned n, unsigned i) {
    int v = (int)(mix(i) % 1000);
    Run r = {1, v, v * 0.5};
    auto op = [](const Run &a, const Run &b) {
        Run x;
        x.cnt = a.cnt + b.cnt;
        x.mx = a.mx > b.mx ? a.mx : b.mx;
        x.sum = a.sum + b.sum;
        return x;
    };
    Run a = cg::inclusive_scan(g, r, op), b = cg::exclusive_scan(g, r, op);
    o[0 * n + i] = a.cnt + 100ll * a.mx + 1000000ll * (i64)(a.sum * 2);
    o[1 * n + i] = b.cnt + 100ll * b.mx + 1000000ll * (i64)(b.sum * 2);
}
template <unsigned N>
__global__ void k_struct(i64 *o, unsigned n) {
    struct_scan(cg::tiled_partition<N>(cg::this_thread_block()), o, n, lin_gid());
}
__global__ void k_struct_c(i64 *o, unsigned n) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    struct_scan(cg::labeled_partition(w, w.thread_rank() % 3), o, n, lin_gid());
}

// Stream compaction with an exclusive scan over a tile of any size.
template <unsigned N>
__global__ void k_compact(const int *in, int n, int *out, int *counts) {
    auto b = cg::this_thread_block();
    auto t = cg::tiled_partition<N>(b);
    int chunk = (n + (int)t.meta_group_size() - 1) / (int)t.meta_group_size();
    int first = (int)t.meta_group_rank() * chunk, last = min(first + chunk, n), written = 0;
    for (int base = first; base < last; base += (int)N) {
        int i = base + (int)t.thread_rank();
        int keep = i < last && in[i] % 3 == 0;
        int pos = cg::exclusive_scan(t, keep);
        if (keep) out[first + written + pos] = in[i];
        written += t.shfl(pos + keep, (int)N - 1);
    }
    if (t.thread_rank() == 0) counts[t.meta_group_rank()] = written;
}
template <unsigned N>
void compact() {
    int n = 700;
    std::vector<int> in(n);
    for (int i = 0; i < n; i++) in[i] = (int)(mix((unsigned)i) % 1000);
    Dev<int> di(n), out(n), counts(256 / N);
    di.put(in);
    k_compact<N><<<1, 256>>>(di.p, n, out.p, counts.p);
    SYNC();
    emit("scan/compact/N" + num(N) + "/out", out.get64());
    emit("scan/compact/N" + num(N) + "/counts", counts.get64());
}

int main() {
    tile<1, int>("int");
    tile<2, int>("int");
    tile<4, int>("int");
    tile<8, int>("int");
    tile<16, int>("int");
    tile<32, int>("int");
    tile<64, int>("int");
    tile<128, int>("int");
    tile<256, int>("int");
    tile<512, int>("int");
    tile<1024, int>("int");
    tile<32, unsigned>("uint", dim3(8, 8));
    tile<8, unsigned>("uint", dim3(4, 5, 2));
    tile<32, long long>("ll");
    tile<64, long long>("ll", dim3(16, 8));
    tile<32, float>("float");
    tile<16, double>("double");
    tile<128, double>("double");
    tile<32, short>("short");
    tile<32, unsigned char>("uchar");
    tile_bits<32, unsigned>("uint_bits");
    tile_bits<8, unsigned long long>("ull_bits");
    tile_bits<64, unsigned>("uint_bits");
    coalesced<int>("int");
    coalesced<double>("double");
    {
        Dev<i64> d(6 * 32, 0xff);
        k_coalesced_bits<unsigned><<<1, 32>>>(d.p, 32, 0x6db6db6du);
        SYNC();
        emit_fields("scan/coalesced/uint_bits", kBits, d);
    }
    {
        Dev<i64> d(2 * 64, 0xff);
        k_struct<32><<<1, 64>>>(d.p, 64);
        SYNC();
        emit_fields("scan/struct/N32", {"inc", "exc"}, d);
        k_struct<4><<<1, dim3(4, 16)>>>(d.p, 64);
        SYNC();
        emit_fields("scan/struct/N4", {"inc", "exc"}, d);
        k_struct_c<<<2, 32>>>(d.p, 64);
        SYNC();
        emit_fields("scan/struct/coalesced", {"inc", "exc"}, d);
    }
    compact<32>();
    compact<4>();
    compact<64>();
    compact<256>();
    return finish();
}
