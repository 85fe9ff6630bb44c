// SPDX-License-Identifier: Apache-2.0
// thread_block_tile<1..32>: ranks in 1D/2D/3D blocks, nesting, handle conversions, tile barriers.
#include "cgtest.h"

template <unsigned N>
__global__ void k_props(i64 *o, unsigned n) {
    auto b = cg::this_thread_block();
    auto t = cg::tiled_partition<N>(b);
    unsigned i = lin_gid();
    o[0 * n + i] = t.thread_rank();
    o[1 * n + i] = t.meta_group_rank();
    o[2 * n + i] = t.meta_group_size();
    o[3 * n + i] = (t.size() == N) + 2 * (t.num_threads() == N) + 4 * (cg::group_size(t) == N) +
                   8 * (cg::thread_rank(t) == t.thread_rank()) +
                   16 * (decltype(t)::size() == N) + 32 * (t.meta_group_rank() * N + t.thread_rank() == b.thread_rank());
}

template <unsigned N>
void props(dim3 grid, dim3 block) {
    unsigned n = count(grid) * count(block);
    Dev<i64> d(4 * n, 0xff);
    k_props<N><<<grid, block>>>(d.p, n);
    SYNC();
    emit_fields("tile/props/N" + num(N) + "/" + num(block.x) + "x" + num(block.y) + "x" + num(block.z),
                {"rank", "meta_rank", "meta_size", "checks"}, d);
}

// Size is a constant expression.
static_assert(cg::thread_block_tile<16>::size() == 16, "");
static_assert(cg::thread_block_tile<8, cg::thread_block>::num_threads() == 8, "");

// 32 -> N -> M, once with the parent kept in the type and once through handles of type <N>.
template <unsigned N, unsigned M>
__global__ void k_nested(i64 *o, unsigned n) {
    auto b = cg::this_thread_block();
    auto t32 = cg::tiled_partition<32>(b);
    auto tn = cg::tiled_partition<N>(t32);
    auto tm = cg::tiled_partition<M>(tn);
    unsigned i = lin_gid();
    o[0 * n + i] = tn.meta_group_rank() * 100 + tn.meta_group_size();
    o[1 * n + i] = tm.meta_group_rank() * 100 + tm.meta_group_size();
    o[2 * n + i] = tm.thread_rank();
    cg::thread_block_tile<32> v32 = t32;
    cg::thread_block_tile<N> vn = cg::tiled_partition<N>(v32);
    cg::thread_block_tile<M> vm = cg::tiled_partition<M>(vn);
    o[3 * n + i] = v32.meta_group_rank() * 100 + v32.meta_group_size();
    o[4 * n + i] = vm.meta_group_rank() * 100 + vm.meta_group_size();
    o[5 * n + i] = (vm.thread_rank() == tm.thread_rank()) + 2 * (vn.meta_group_rank() == tn.meta_group_rank()) +
                   4 * (vn.size() == N && vm.num_threads() == M);
}

template <unsigned N, unsigned M>
void nested(dim3 block) {
    unsigned n = count(block);
    Dev<i64> d(6 * n, 0xff);
    k_nested<N, M><<<1, block>>>(d.p, n);
    SYNC();
    emit_fields("tile/nested/32_" + num(N) + "_" + num(M) + "/" + num(block.x) + "x" + num(block.y),
                {"meta_n", "meta_m", "rank_m", "void_meta_32", "void_meta_m", "checks"}, d);
}

// Functions taking tiles in the usual ways.
__device__ int f_void(const cg::thread_block_tile<8> &t) { return t.meta_group_rank() * 10 + t.thread_rank(); }
template <unsigned N, typename P>
__device__ int f_any(const cg::thread_block_tile<N, P> &t) { return N * 1000 + t.meta_group_rank() * 10 + t.thread_rank(); }
template <unsigned N>
__device__ int f_n(const cg::thread_block_tile<N> &t) { return N * 100 + t.thread_rank(); }
template <typename G>
__device__ int f_generic(const G &g) { return (int)g.size() * 100 + (int)g.thread_rank(); }
__device__ int f_base(const cg::thread_group &g) { return (int)g.size() * 100 + (int)g.thread_rank(); }
__device__ int f_base_value(cg::thread_group g) { return (int)g.size() * 100 + (int)g.thread_rank(); }

__global__ void k_functions(i64 *o, unsigned n) {
    auto b = cg::this_thread_block();
    auto t = cg::tiled_partition<8>(b);
    cg::thread_block_tile<8, cg::thread_block> typed = t;
    cg::thread_block_tile<8> v(t);
    cg::thread_block_tile<8> v2 = v;
    unsigned i = lin_gid();
    o[0 * n + i] = f_void(t);
    o[1 * n + i] = f_void(v2);
    o[2 * n + i] = f_any(typed);
    o[3 * n + i] = f_any(v);
    o[4 * n + i] = f_n<8>(t) + f_n(v);
    o[5 * n + i] = f_generic(t);
    o[6 * n + i] = f_base(t);
    o[7 * n + i] = f_base_value(v);
    o[8 * n + i] = f_generic(cg::tiled_partition<2>(t));
}

// Every tile reverses its slice of shared memory; only tiles of one parity take part, and the
// participating tiles run a different number of rounds each.
template <unsigned N>
__global__ void k_sync(i64 *o) {
    __shared__ int s[256];
    auto b = cg::this_thread_block();
    auto t = cg::tiled_partition<N>(b);
    unsigned r = b.thread_rank(), base = t.meta_group_rank() * N;
    s[r] = (int)r + 1;
    b.sync();
    if ((t.meta_group_rank() & 1) == 0) {
        for (unsigned k = 0; k <= t.meta_group_rank(); k++) {
            int v = s[base + N - 1 - t.thread_rank()];
            t.sync();
            s[r] = (int)((unsigned)v * 3u + k);  // may wrap
            cg::sync(t);
        }
    }
    b.sync();
    o[r] = s[r];
}

template <unsigned N>
void syncs(dim3 block) {
    Dev<i64> d(count(block), 0xff);
    k_sync<N><<<1, block>>>(d.p);
    SYNC();
    emit("tile/sync/N" + num(N) + "/" + num(count(block)), d.get64());
}

// this_thread(): a tile of one.
__global__ void k_this_thread(i64 *o, unsigned n) {
    auto t = cg::this_thread();
    cg::thread_block_tile<1> h = cg::this_thread();
    cg::thread_group g = t;
    unsigned i = lin_gid();
    t.sync();
    h.sync();
    g.sync();
    o[0 * n + i] = t.size() * 1000 + t.thread_rank() * 100 + t.meta_group_rank() * 10 + t.meta_group_size();
    o[1 * n + i] = h.num_threads() * 10 + h.thread_rank();
    o[2 * n + i] = (i64)g.size() * 10 + (i64)g.thread_rank();
    o[3 * n + i] = t.shfl((int)i, 0) + (t.any(i & 1) != 0) + 2 * (t.all(i & 1) != 0) + 4 * (int)t.ballot(i & 1);
}

int main() {
    for (dim3 b : {dim3(64), dim3(8, 8), dim3(4, 4, 4), dim3(2, 3, 16)}) {
        props<1>(1, b);
        props<2>(1, b);
        props<4>(1, b);
        props<8>(1, b);
        props<16>(1, b);
        props<32>(1, b);
    }
    // tiles of a block whose last warp is not full (the tile size divides the block size)
    props<8>(2, dim3(40));
    props<4>(1, dim3(36));
    props<16>(1, dim3(16, 3));
    props<2>(1, dim3(3, 2));
    props<1>(1, dim3(33));
    props<8>(1, dim3(8));
    nested<16, 4>(dim3(64));
    nested<8, 2>(dim3(64));
    nested<4, 1>(dim3(16, 4));
    nested<16, 8>(dim3(5 * 32));
    {
        unsigned n = 2 * 48;
        Dev<i64> d(9 * n, 0xff);
        k_functions<<<2, dim3(12, 4)>>>(d.p, n);
        SYNC();
        emit_fields("tile/functions", {"void_from_typed", "void_copy", "any_typed", "any_void", "explicit_n", "generic",
                                       "base_ref", "base_value", "sub_tile"}, d);
    }
    syncs<1>(dim3(32));
    syncs<2>(dim3(34));
    syncs<4>(dim3(32));
    syncs<8>(dim3(8, 5));
    syncs<16>(dim3(80));
    syncs<32>(dim3(128));
    syncs<32>(dim3(8, 8, 4));
    {
        Dev<i64> d(4 * 37, 0xff);
        k_this_thread<<<1, 37>>>(d.p, 37);
        SYNC();
        emit_fields("tile/this_thread", {"props", "handle", "base", "ops"}, d);
    }
    return finish();
}
