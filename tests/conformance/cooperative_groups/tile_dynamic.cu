// SPDX-License-Identifier: Apache-2.0
// tiled_partition(group, n) with n known at run time: on thread_block (also sizes that n does not
// divide), on thread_group, on static tiles and on coalesced_group.
#include "cgtest.h"

__global__ void k_block(i64 *o, unsigned n, unsigned tile) {
    auto b = cg::this_thread_block();
    cg::thread_group t = cg::tiled_partition(b, tile);
    unsigned i = lin_gid();
    o[0 * n + i] = (i64)t.size();
    o[1 * n + i] = (i64)t.thread_rank();
    // thread_group::num_threads() is declared but not defined in CUDA 13.0, so only size() is used
    o[2 * n + i] = (cg::thread_rank(t) == t.thread_rank()) + 2 * (t.get_type() == cg::coalesced_threads().get_type());
}

// Reverse inside each run time sized tile, through shared memory and thread_group::sync().
__global__ void k_sync(i64 *o, unsigned tile) {
    extern __shared__ int s[];
    auto b = cg::this_thread_block();
    auto t = cg::tiled_partition(b, tile);
    unsigned r = b.thread_rank();
    unsigned base = r - (unsigned)t.thread_rank();
    s[r] = (int)(r * r);
    t.sync();
    int v = s[base + (unsigned)t.size() - 1 - (unsigned)t.thread_rank()];
    cg::sync(t);
    o[r] = v;
}

__global__ void k_nested(i64 *o, unsigned n, unsigned t1, unsigned t2) {
    auto b = cg::this_thread_block();
    cg::thread_group g1 = cg::tiled_partition(b, t1);
    cg::thread_group g2 = cg::tiled_partition(g1, t2);
    unsigned i = lin_gid();
    g1.sync();
    g2.sync();
    o[0 * n + i] = (i64)g1.size() * 100 + (i64)g1.thread_rank();
    o[1 * n + i] = (i64)g2.size() * 100 + (i64)g2.thread_rank();
}

// The same function called through the base class of a thread_block.
__device__ i64 split(const cg::thread_group &g, unsigned tile) {
    cg::thread_group t = cg::tiled_partition(g, tile);
    return (i64)t.size() * 100 + (i64)t.thread_rank();
}

template <unsigned N>
__global__ void k_from_static(i64 *o, unsigned n, unsigned tile) {
    auto b = cg::this_thread_block();
    auto typed = cg::tiled_partition<N>(b);
    cg::thread_block_tile<N> v = typed;
    unsigned i = lin_gid();
    cg::thread_group a = cg::tiled_partition(v, tile);
    cg::thread_group c = cg::tiled_partition(typed, tile);
    o[0 * n + i] = (i64)a.size() * 100 + (i64)a.thread_rank();
    o[1 * n + i] = (i64)c.size() * 100 + (i64)c.thread_rank();
    o[2 * n + i] = split(b, tile);
}

// coalesced_group built from a lane pattern, then split at run time.  The pieces are packed by rank.
__global__ void k_coalesced(i64 *o, unsigned n, unsigned pattern, unsigned tile) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned lane = w.thread_rank(), i = lin_gid();
    cg::coalesced_group g = cg::binary_partition(w, (pattern >> lane) & 1);
    if (g.size() > tile) {
        cg::coalesced_group t = cg::tiled_partition(g, tile);
        o[0 * n + i] = t.size();
        o[1 * n + i] = t.thread_rank();
        o[2 * n + i] = t.meta_group_rank();
        o[3 * n + i] = t.meta_group_size();
        o[4 * n + i] = t.shfl((int)lane, 0);               // first lane of the piece
        o[5 * n + i] = t.shfl((int)lane, t.size() - 1);    // last lane of the piece
    } else {
        for (int k = 0; k < 6; k++) o[k * n + i] = -1;
    }
}

__global__ void k_coalesced_twice(i64 *o, unsigned n, unsigned pattern) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned lane = w.thread_rank(), i = lin_gid();
    cg::coalesced_group g = cg::binary_partition(w, (pattern >> lane) & 1);
    cg::coalesced_group h = cg::tiled_partition(g, 8);
    cg::coalesced_group q = cg::tiled_partition(h, 2);
    cg::thread_group base = q;
    o[0 * n + i] = h.size() * 100 + h.thread_rank();
    o[1 * n + i] = q.size() * 100 + q.thread_rank();
    o[2 * n + i] = q.meta_group_rank() * 100 + q.meta_group_size();
    o[3 * n + i] = (i64)base.size() * 100 + (i64)base.thread_rank();
    q.sync();
    o[4 * n + i] = q.ballot(lane & 1);
}

int main() {
    for (unsigned tile : {1u, 2u, 4u, 8u, 16u, 32u}) {
        for (dim3 b : {dim3(64), dim3(50), dim3(33), dim3(10, 5), dim3(3, 5, 7)}) {
            unsigned n = count(b);
            Dev<i64> d(3 * n, 0xff);
            k_block<<<1, b>>>(d.p, n, tile);
            SYNC();
            emit_fields("tile_dyn/block/" + num(tile) + "/" + num(b.x) + "x" + num(b.y) + "x" + num(b.z),
                        {"size", "rank", "checks"}, d);
        }
        Dev<i64> s(77, 0xff);
        k_sync<<<1, dim3(7, 11), 77 * sizeof(int)>>>(s.p, tile);
        SYNC();
        emit("tile_dyn/sync/" + num(tile), s.get64());
    }
    const unsigned pairs[][2] = {{32, 8}, {16, 4}, {8, 8}, {4, 2}, {32, 32}, {8, 1}, {4, 16}};
    for (auto &p : pairs) {
        for (unsigned bs : {64u, 45u}) {
            Dev<i64> d(2 * bs, 0xff);
            k_nested<<<1, bs>>>(d.p, bs, p[0], p[1]);
            SYNC();
            emit_fields("tile_dyn/nested/" + num(p[0]) + "_" + num(p[1]) + "/" + num(bs), {"outer", "inner"}, d);
        }
    }
    {
        Dev<i64> d(3 * 64, 0xff);
        k_from_static<32><<<1, 64>>>(d.p, 64, 4);
        SYNC();
        emit_fields("tile_dyn/from_static/32_4", {"void", "typed", "block"}, d);
        k_from_static<16><<<1, 64>>>(d.p, 64, 8);
        SYNC();
        emit_fields("tile_dyn/from_static/16_8", {"void", "typed", "block"}, d);
        k_from_static<8><<<1, dim3(4, 16)>>>(d.p, 64, 1);
        SYNC();
        emit_fields("tile_dyn/from_static/8_1", {"void", "typed", "block"}, d);
    }
    for (unsigned pattern : {0x0000ffffu, 0x55555555u, 0x80000001u, 0xfffffffeu, 0x137f00f1u}) {
        for (unsigned tile : {1u, 4u, 8u}) {
            char name[64];
            snprintf(name, sizeof name, "tile_dyn/coalesced/%08x_%u", pattern, tile);
            Dev<i64> d(6 * 32, 0xff);
            k_coalesced<<<1, 32>>>(d.p, 32, pattern, tile);
            SYNC();
            emit_fields(name, {"size", "rank", "meta_rank", "meta_size", "first_lane", "last_lane"}, d);
        }
    }
    for (unsigned pattern : {0x55555555u, 0x0ff00ff0u}) {
        char name[64];
        snprintf(name, sizeof name, "tile_dyn/coalesced_twice/%08x", pattern);
        Dev<i64> d(5 * 64, 0xff);
        k_coalesced_twice<<<2, 32>>>(d.p, 64, pattern);
        SYNC();
        emit_fields(name, {"h", "q", "meta_q", "base", "ballot"}, d);
    }
    return finish();
}
