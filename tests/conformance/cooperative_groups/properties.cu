// SPDX-License-Identifier: Apache-2.0
// Compile time facts about the group types, printed as numbers: conversions, constructors, return
// types, constants, memory scopes, type tags.
#include "cgtest.h"

#include <cuda/atomic>
#include <cuda/std/type_traits>

namespace cs = cuda::std;

typedef cg::thread_block TB;
typedef cg::grid_group GG;
typedef cg::cluster_group CL;
typedef cg::coalesced_group CO;
typedef cg::thread_group TG;
template <unsigned N>
using TP = cg::thread_block_tile<N, cg::thread_block>;
template <unsigned N>
using TV = cg::thread_block_tile<N>;

template <typename T>
__device__ int construct() {
    return cs::is_default_constructible<T>::value + 2 * cs::is_copy_constructible<T>::value +
           4 * cs::is_move_constructible<T>::value;
}
template <typename T>
__device__ int base() {
    return cs::is_base_of<TG, T>::value + 2 * cs::is_convertible<T, TG>::value;
}

__global__ void k_types(i64 *o) {
    int k = 0;
    // default constructible / copyable
    o[k++] = construct<TG>();
    o[k++] = construct<TB>();
    o[k++] = construct<GG>();
    o[k++] = construct<CL>();
    o[k++] = construct<CO>();
    o[k++] = construct<TP<8>>();
    o[k++] = construct<TV<8>>();
    o[k++] = construct<TP<64>>();
    o[k++] = construct<TV<64>>();
    // derived from / convertible to thread_group
    o[k++] = base<TB>();
    o[k++] = base<GG>();
    o[k++] = base<CL>();
    o[k++] = base<CO>();
    o[k++] = base<TP<8>>();
    o[k++] = base<TV<8>>();
    o[k++] = base<TP<64>>();
    o[k++] = base<TV<64>>();
    // tile conversions
    o[k++] = cs::is_convertible<TP<8>, TV<8>>::value;
    o[k++] = cs::is_convertible<TV<8>, TP<8>>::value;
    o[k++] = cs::is_convertible<TV<8>, TV<16>>::value;
    o[k++] = cs::is_convertible<TP<64>, TV<64>>::value;
    o[k++] = cs::is_convertible<cg::thread_block_tile<8, TP<32>>, TV<8>>::value;
    o[k++] = cs::is_convertible<TG, TB>::value;
    o[k++] = cs::is_convertible<TB, TV<32>>::value;
    o[k++] = cs::is_convertible<CO, TV<32>>::value;
}

#define RET(expr) (cs::is_same<decltype(expr), unsigned int>::value + 2 * cs::is_same<decltype(expr), unsigned long long>::value + \
                   4 * cs::is_same<decltype(expr), dim3>::value + 8 * cs::is_same<decltype(expr), int>::value + \
                   16 * cs::is_same<decltype(expr), bool>::value + 32 * cs::is_same<decltype(expr), void>::value)

__global__ void k_returns(i64 *o, int *p) {
    TB b = cg::this_thread_block();
    GG g = cg::this_grid();
    CL c = cg::this_cluster();
    CO co = cg::coalesced_threads();
    auto t = cg::tiled_partition<8>(b);
    auto w = cg::tiled_partition<64>(b);
    TG tg = b;
    tg.sync();
    int k = 0;
    o[k++] = RET(b.thread_rank()) * 1000 + RET(b.num_threads()) * 100 + RET(b.size()) * 10 + RET(b.thread_index());
    o[k++] = RET(b.group_index()) * 1000 + RET(b.group_dim()) * 100 + RET(b.dim_threads()) * 10 + RET(cg::group_size(b));
    o[k++] = RET(g.thread_rank()) * 1000 + RET(g.num_threads()) * 100 + RET(g.size()) * 10 + RET(g.block_rank());
    o[k++] = RET(g.num_blocks()) * 1000 + RET(g.dim_blocks()) * 100 + RET(g.block_index()) * 10 + RET(g.group_dim());
    o[k++] = RET(g.cluster_rank()) * 1000 + RET(g.num_clusters()) * 100 + RET(g.dim_clusters()) * 10 + RET(g.cluster_index());
    o[k++] = RET(g.is_valid()) * 1000 + RET(g.sync()) * 100 + RET(g.thread_index()) * 10 + RET(g.dim_threads());
    o[k++] = RET(c.thread_rank()) * 1000 + RET(c.num_threads()) * 100 + RET(c.size()) * 10 + RET(c.block_rank());
    o[k++] = RET(c.num_blocks()) * 1000 + RET(c.dim_blocks()) * 100 + RET(c.block_index()) * 10 + RET(c.thread_index());
    o[k++] = RET(c.query_shared_rank(p)) * 1000 + cs::is_same<decltype(c.map_shared_rank(p, 0)), int *>::value * 100 + RET(c.dim_threads()) * 10 + RET(c.sync());
    o[k++] = RET(co.thread_rank()) * 1000 + RET(co.num_threads()) * 100 + RET(co.meta_group_rank()) * 10 + RET(co.meta_group_size());
    o[k++] = RET(co.any(1)) * 1000 + RET(co.all(1)) * 100 + RET(co.ballot(1)) * 10 + RET(co.match_any(1));
    o[k++] = RET(t.thread_rank()) * 1000 + RET(t.num_threads()) * 100 + RET(t.meta_group_rank()) * 10 + RET(t.meta_group_size());
    o[k++] = RET(t.any(1)) * 1000 + RET(t.all(1)) * 100 + RET(t.ballot(1)) * 10 + RET(t.match_any(1));
    o[k++] = RET(w.thread_rank()) * 1000 + RET(w.num_threads()) * 100 + RET(w.meta_group_rank()) * 10 + RET(w.any(1));
    o[k++] = RET(tg.thread_rank()) * 1000 + RET(tg.size()) * 100 + RET(tg.get_type()) * 10 + RET(tg.sync());
    o[k++] = RET(cg::thread_rank(g)) * 1000 + RET(cg::thread_rank(t)) * 100 + RET(cg::thread_rank(tg)) * 10 + RET(cg::sync(t));
    o[k++] = RET(t.shfl(1, 0)) * 1000 + RET(t.shfl(1u, 0)) * 100 + RET(t.shfl_up(1ull, 1)) * 10 + RET(co.shfl(true, 0));
    // shfl strips const and references
    const int ci = 1;
    int li = 2;
    int &ri = li;
    li += ri;
    o[k++] = RET(t.shfl(ci, 0)) * 100 + RET(t.shfl(li, 0)) * 10 + RET(co.shfl(ri, 0));
    o[k++] = cs::is_same<decltype(t.shfl((short)1, 0)), short>::value * 100 + cs::is_same<decltype(t.shfl_xor(1.0f, 1)), float>::value * 10 +
             cs::is_same<decltype(w.shfl((char)1, 0)), char>::value;
    o[k++] = cs::is_same<decltype(cg::this_thread()), TV<1>>::value * 1000 + cs::is_same<decltype(cg::tiled_partition(b, 4)), TG>::value * 100 +
             cs::is_same<decltype(cg::tiled_partition(co, 4)), CO>::value * 10 + cs::is_same<decltype(cg::tiled_partition(tg, 4)), TG>::value;
    o[k++] = cs::is_same<decltype(cg::binary_partition(t, true)), CO>::value * 100 + cs::is_same<decltype(cg::labeled_partition(co, 1)), CO>::value * 10 +
             cs::is_same<decltype(cg::tiled_partition(t, 4)), TG>::value;
    o[k++] = cs::is_same<GG::arrival_token, decltype(g.barrier_arrive())>::value * 100 + cs::is_same<TB::arrival_token, decltype(b.barrier_arrive())>::value * 10 +
             cs::is_same<CL::arrival_token, decltype(c.barrier_arrive())>::value;
}

// memory scopes as relations to the libcu++ enumerators (thread_block_tile<N> with the parent type
// only: the name is ambiguous in tiles of type <N> up to 32)
__global__ void k_scopes(i64 *o) {
    int k = 0;
    o[k++] = TB::thread_scope == cuda::thread_scope_block;
    o[k++] = CO::thread_scope == cuda::thread_scope_block;
    o[k++] = TP<8>::thread_scope == cuda::thread_scope_block;
    o[k++] = TP<64>::thread_scope == cuda::thread_scope_block;
    o[k++] = TV<64>::thread_scope == cuda::thread_scope_block;
    o[k++] = GG::thread_scope == cuda::thread_scope_device;
    o[k++] = TG::thread_scope == cuda::thread_scope_device;
    o[k++] = CL::thread_scope == cuda::thread_scope_device;
}

// sizes as template arguments and array bounds
template <typename Tile>
__device__ int constant_size(const Tile &) {
    int a[Tile::size()];
    for (unsigned k = 0; k < Tile::num_threads(); k++) a[k] = (int)k;
    return a[Tile::size() - 1] + 1;
}
__global__ void k_constants(i64 *o) {
    auto b = cg::this_thread_block();
    constexpr unsigned n = TV<16>::size() + TP<4>::num_threads() + TV<128>::size();
    int k = 0;
    i64 r[5];
    r[k++] = n;
    r[k++] = constant_size(cg::tiled_partition<8>(b));
    r[k++] = constant_size(cg::tiled_partition<64>(b));
    r[k++] = constant_size(cg::this_thread());
    TV<32> v = cg::tiled_partition<32>(b);
    r[k++] = constant_size(v);
    if (b.thread_rank() == 0)
        for (int j = 0; j < 5; j++) o[j] = r[j];
}

// type tags
__global__ void k_tags(i64 *o) {
    TB b = cg::this_thread_block();
    CL c = cg::this_cluster();
    CO co = cg::coalesced_threads();
    TV<8> t = cg::tiled_partition<8>(b);
    TG a = b, d = t, e = co, f = c, h = cg::tiled_partition(b, 4);
    int k = 0;
    i64 r[10];
    r[k++] = b.get_type();
    r[k++] = c.get_type();
    r[k++] = co.get_type();
    r[k++] = t.get_type();
    r[k++] = a.get_type();
    r[k++] = d.get_type();
    r[k++] = e.get_type();
    r[k++] = f.get_type();
    r[k++] = h.get_type();
    r[k++] = cg::this_thread().get_type();
    if (b.thread_rank() == 0)
        for (int j = 0; j < 10; j++) o[j] = r[j];
}

int main() {
    {
        Dev<i64> d(25, 0xff);
        k_types<<<1, 1>>>(d.p);
        SYNC();
        emit("properties/constructible", d.get64(0, 9));
        emit("properties/thread_group_base", d.get64(9, 8));
        emit("properties/tile_conversions", d.get64(17, 8));
    }
    {
        Dev<i64> d(22, 0xff);
        Dev<int> p(1);
        k_returns<<<1, 64>>>(d.p, p.p);
        SYNC();
        std::vector<i64> v = d.get64();
        const char *names[] = {"block",       "block_dims", "grid",    "grid_blocks", "grid_clusters", "grid_misc", "cluster",    "cluster_blocks",
                               "cluster_mem", "coalesced",  "co_vote", "tile",        "tile_vote",     "tile_large", "thread_group", "free",
                               "shfl",        "shfl_qual",  "shfl_types", "partition", "partition2",   "tokens"};
        for (int k = 0; k < 22; k++) emit(std::string("properties/returns/") + names[k], v[k]);
    }
    {
        Dev<i64> d(8, 0xff), e(5, 0xff), f(10, 0xff);
        k_scopes<<<1, 1>>>(d.p);
        SYNC();
        emit("properties/scopes", d.get64());
        k_constants<<<1, 64>>>(e.p);
        SYNC();
        emit("properties/constants", e.get64());
        k_tags<<<1, 32>>>(f.p);
        SYNC();
        emit("properties/type_tags", f.get64());
    }
    return finish();
}
