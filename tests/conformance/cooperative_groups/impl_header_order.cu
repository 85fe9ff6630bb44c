// SPDX-License-Identifier: Apache-2.0
// IMPLEMENTATION DEFINED BY THE CUDA 13.0 HEADERS, not by the manual: evaluation order of reductions
// and scans made visible by rounding and by a non commutative operator, corner cases of meta ranks.
// Results are deterministic on a device; a simulator only matches them by following the same order.
#include "cgtest.h"

#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

// inexact inputs, no contraction possible (single values)
__device__ float fval(unsigned i) { return __int_as_float(0x3f800000 | (int)(mix(i) & 0x7fffff)) * (i % 3 ? 1.0f : 1024.0f); }
__device__ double dval(unsigned i) { return (double)fval(i) / 3.0; }
__device__ i64 bits(float f) { return (i64)(unsigned)__float_as_int(f); }
__device__ i64 bits(double d) { return __double_as_longlong(d); }

template <typename G>
__device__ void fp(const G &g, i64 *o, unsigned n, unsigned i) {
    float f = fval(i);
    double d = dval(i);
    o[0 * n + i] = bits(cg::reduce(g, f, cg::plus<float>()));
    o[1 * n + i] = bits(cg::reduce(g, d, cg::plus<double>()));
    o[2 * n + i] = bits(cg::inclusive_scan(g, f, cg::plus<float>()));
    o[3 * n + i] = bits(cg::exclusive_scan(g, f, cg::plus<float>()));
    o[4 * n + i] = bits(cg::inclusive_scan(g, d));
    o[5 * n + i] = bits(cg::exclusive_scan(g, d));
}
static const std::vector<std::string> kFp = {"reduce_f", "reduce_d", "inc_f", "exc_f", "inc_d", "exc_d"};

template <unsigned N>
__global__ void k_fp(i64 *o, unsigned n) {
    fp(cg::tiled_partition<N>(cg::this_thread_block()), o, n, lin_gid());
}
__global__ void k_fp_c(i64 *o, unsigned n, unsigned pattern) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    fp(cg::binary_partition(w, (pattern >> w.thread_rank()) & 1), o, n, lin_gid());
}
template <unsigned N>
void fp_tile() {
    unsigned n = N < 32 ? 32 : N;
    Dev<i64> d(6 * n, 0xff);
    k_fp<N><<<1, n>>>(d.p, n);
    SYNC();
    emit_fields("impl/fp/N" + num(N), kFp, d);
}

// affine maps modulo a prime: associative, not commutative
struct Affine {
    int a, b;
};
struct Compose {
    __device__ Affine operator()(const Affine &x, const Affine &y) const {
        Affine r;
        r.a = x.a * y.a % 997;
        r.b = (x.a * y.b + x.b) % 997;
        return r;
    }
};
// reduce() of tiles above 32 threads lets all lanes of a warp store their differing results to one
// slot, so with a non commutative operator its result is not even deterministic: left out.
template <bool WithReduce, typename G>
__device__ void order(const G &g, i64 *o, unsigned n, unsigned i) {
    Affine v = {(int)(mix(i) % 996) + 1, (int)(mix(i + 1) % 997)};
    Affine s = cg::inclusive_scan(g, v, Compose()), e = cg::exclusive_scan(g, v, Compose());
    o[0 * n + i] = -1;
    if (WithReduce) {
        Affine r = cg::reduce(g, v, Compose());
        o[0 * n + i] = r.a * 1000 + r.b;
    }
    o[1 * n + i] = s.a * 1000 + s.b;
    o[2 * n + i] = e.a * 1000 + e.b;
}
static const std::vector<std::string> kOrder = {"reduce", "inc", "exc"};
template <unsigned N>
__global__ void k_order(i64 *o, unsigned n) {
    order<(N <= 32)>(cg::tiled_partition<N>(cg::this_thread_block()), o, n, lin_gid());
}
__global__ void k_order_c(i64 *o, unsigned n, unsigned pattern) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    order<true>(cg::binary_partition(w, (pattern >> w.thread_rank()) & 1), o, n, lin_gid());
}
template <unsigned N>
void order_tile() {
    unsigned n = N < 32 ? 32 : N;
    Dev<i64> d(3 * n, 0xff);
    k_order<N><<<1, n>>>(d.p, n);
    SYNC();
    emit_fields("impl/order/N" + num(N), kOrder, d);
}

// exclusive_scan_update with operators for which T{} is no identity: tiles up to 32 combine the
// value initialised element of rank 0 with the old value, larger tiles do not.
template <unsigned N>
__global__ void k_update(int *cells, i64 *o, unsigned n) {
    auto t = cg::tiled_partition<N>(cg::this_thread_block());
    unsigned i = lin_gid();
    int v = (int)(mix(i) % 1000) - 300;
    cuda::atomic_ref<int, cuda::thread_scope_device> a(cells[0]), b(cells[1]);
    o[0 * n + i] = cg::exclusive_scan_update(t, a, v, cg::less<int>());
    o[1 * n + i] = cg::exclusive_scan_update(t, b, v, cg::greater<int>());
}

// dynamic tiled_partition that does not split returns the group with its old meta data
__global__ void k_meta(i64 *o, unsigned n) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned lane = w.thread_rank(), i = lin_gid();
    cg::coalesced_group g = cg::binary_partition(w, lane % 4 == 0);
    cg::coalesced_group a = cg::tiled_partition(g, 32), b = cg::tiled_partition(a, 32);
    o[0 * n + i] = g.meta_group_rank() * 10 + g.meta_group_size();
    o[1 * n + i] = a.meta_group_rank() * 10 + a.meta_group_size();
    o[2 * n + i] = b.size() * 100 + b.thread_rank();
}

// queries (no collectives) on static tiles of a block whose size is no multiple of the tile size
template <unsigned N>
__global__ void k_ragged(i64 *o, unsigned n) {
    auto t = cg::tiled_partition<N>(cg::this_thread_block());
    unsigned i = lin_gid();
    o[0 * n + i] = t.meta_group_rank() * 100 + t.meta_group_size();
    o[1 * n + i] = t.thread_rank() * 100 + t.size();
}

int main() {
    fp_tile<2>();
    fp_tile<4>();
    fp_tile<8>();
    fp_tile<16>();
    fp_tile<32>();
    fp_tile<64>();
    fp_tile<256>();
    fp_tile<1024>();
    for (unsigned pattern : {0xffffffffu, 0x55555555u, 0xfffffff0u, 0x00f0f00fu, 0x7fffffffu}) {
        char name[64];
        snprintf(name, sizeof name, "impl/fp/coalesced/%08x", pattern);
        Dev<i64> d(6 * 32, 0xff);
        k_fp_c<<<1, 32>>>(d.p, 32, pattern);
        SYNC();
        emit_fields(name, kFp, d);
    }
    order_tile<4>();
    order_tile<8>();
    order_tile<32>();
    order_tile<64>();
    order_tile<128>();
    for (unsigned pattern : {0xffffffffu, 0x55555555u, 0x0001fff0u}) {
        char name[64];
        snprintf(name, sizeof name, "impl/order/coalesced/%08x", pattern);
        Dev<i64> d(3 * 32, 0xff);
        k_order_c<<<1, 32>>>(d.p, 32, pattern);
        SYNC();
        emit_fields(name, kOrder, d);
    }
    {
        Dev<int> c(2), e(2);
        c.put({500, -500});
        e.put({500, -500});
        Dev<i64> d(2 * 32, 0xff), f(2 * 64, 0xff);
        k_update<32><<<1, 32>>>(c.p, d.p, 32);
        SYNC();
        emit_fields("impl/exclusive_update/N32", {"less", "greater"}, d);
        emit("impl/exclusive_update/N32/after", c.get64());
        k_update<64><<<1, 64>>>(e.p, f.p, 64);
        SYNC();
        emit_fields("impl/exclusive_update/N64", {"less", "greater"}, f);
        emit("impl/exclusive_update/N64/after", e.get64());
    }
    {
        Dev<i64> d(3 * 32, 0xff);
        k_meta<<<1, 32>>>(d.p, 32);
        SYNC();
        emit_fields("impl/meta_unsplit", {"parent", "same", "rank"}, d);
        Dev<i64> r(2 * 45, 0xff);
        k_ragged<32><<<1, 45>>>(r.p, 45);
        SYNC();
        emit_fields("impl/ragged/N32", {"meta", "rank"}, r);
        k_ragged<8><<<1, dim3(9, 5)>>>(r.p, 45);
        SYNC();
        emit_fields("impl/ragged/N8", {"meta", "rank"}, r);
    }
    return finish();
}
