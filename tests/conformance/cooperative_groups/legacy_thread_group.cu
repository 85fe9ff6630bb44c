// SPDX-License-Identifier: Apache-2.0
// The type erased thread_group: made from every group type it can represent, passed by value,
// reference and pointer, partitioned again, synchronised.
#include "cgtest.h"

using namespace cooperative_groups;  // the style of the older samples

// Tree sum over any group, scratch memory of at least g.size() ints.
__device__ int tree_sum(thread_group g, int *x, int val) {
    int lane = (int)g.thread_rank();
    for (int i = (int)g.size() / 2; i > 0; i /= 2) {
        x[lane] = val;
        g.sync();
        if (lane < i) val += x[lane + i];
        g.sync();
    }
    if (g.thread_rank() == 0) return val;
    return -1;
}

__device__ int any_size_sum(const thread_group &g, int *x, int val) {
    x[g.thread_rank()] = val;
    g.sync();
    int s = 0;
    for (unsigned i = 0; i < g.size(); i++) s += x[i];
    g.sync();
    return s;
}

__device__ i64 through_pointer(const thread_group *g) {
    sync(*g);
    return (i64)g->size() * 1000 + (i64)thread_rank(*g);
}

__global__ void k_tree(i64 *o, unsigned n) {
    extern __shared__ int ws[];
    thread_block b = this_thread_block();
    unsigned r = b.thread_rank(), i = lin_gid();
    int v = (int)r + 1;
    o[0 * n + i] = tree_sum(b, ws, v);
    b.sync();
    thread_group t16 = tiled_partition(b, 16);
    o[1 * n + i] = tree_sum(t16, ws + r / 16 * 16, v);
    b.sync();
    thread_group t4 = tiled_partition(t16, 4);
    o[2 * n + i] = tree_sum(t4, ws + r / 4 * 4, v);
    b.sync();
    thread_block_tile<8> t8 = tiled_partition<8>(b);
    o[3 * n + i] = tree_sum(t8, ws + r / 8 * 8, v);
    b.sync();
    o[4 * n + i] = tree_sum(this_thread(), ws + r, v);
    b.sync();
    o[5 * n + i] = tree_sum(tiled_partition<32>(b), ws + r / 32 * 32, v);
}

__global__ void k_kinds(i64 *o, unsigned n) {
    __shared__ int ws[256];
    thread_block b = this_thread_block();
    unsigned r = b.thread_rank(), i = lin_gid();
    auto t32 = tiled_partition<32>(b);
    coalesced_group c = binary_partition(t32, t32.thread_rank() % 3 != 0);
    int cbase = (int)(r / 32 * 32) + (t32.thread_rank() % 3 != 0 ? 11 : 0);
    thread_group groups[5] = {b, tiled_partition(b, 8), t32, c, this_thread()};
    int *scratch[5] = {ws, ws + r / 8 * 8, ws + r / 32 * 32, ws + cbase, ws + r};
    for (int k = 0; k < 5; k++) {
        o[k * n + i] = through_pointer(&groups[k]) * 1000 + any_size_sum(groups[k], scratch[k], (int)(mix(i) % 5));
        b.sync();
    }
    // equal kinds of groups report equal type tags, the block a different one
    o[5 * n + i] = (groups[1].get_type() == groups[2].get_type()) + 2 * (groups[2].get_type() == groups[3].get_type()) +
                   4 * (groups[3].get_type() == groups[4].get_type()) + 8 * (groups[0].get_type() != groups[1].get_type()) +
                   16 * (groups[0].get_type() == b.get_type());
}

struct Holder {
    thread_group g;
    int tag;
    __device__ Holder(const thread_group &x, int t) : g(x), tag(t) {}
    __device__ i64 value() const { return (i64)g.size() * 1000 + (i64)g.thread_rank() + tag; }
};
__device__ thread_group pick(const thread_block &b, int which) {
    if (which == 0) return b;
    if (which == 1) return tiled_partition(b, 4);
    return this_thread();
}
__global__ void k_values(i64 *o, unsigned n) {
    thread_block b = this_thread_block();
    unsigned i = lin_gid();
    for (int k = 0; k < 3; k++) {
        thread_group g = pick(b, k);
        Holder h(g, k * 1000000);
        Holder h2 = h;
        h2.g.sync();
        o[k * n + i] = h2.value();
    }
    // 64 bit results
    o[3 * n + i] = sizeof(pick(b, 0).size()) * 10 + sizeof(pick(b, 0).thread_rank());
}

// thread_group of a cluster and of a coalesced group in a partial warp.
__global__ void k_cluster(int *a, i64 *o) {
    thread_group g = this_cluster();
    unsigned i = lin_gid();
    unsigned long long n = g.size(), base = this_grid().cluster_rank() * n;
    a[base + g.thread_rank()] = (int)i;
    g.sync();
    o[i] = ((volatile int *)a)[base + (g.thread_rank() + n / 2) % n] * 1000ll + (i64)g.thread_rank();
    g.sync();
}

// Split a group recursively until single threads remain, sync at each level.
__device__ i64 recurse(const thread_group &g, unsigned size) {
    g.sync();
    i64 here = (i64)g.thread_rank() + (i64)g.size() * 7;
    if (size == 1) return here;
    thread_group half = tiled_partition(g, size / 2);
    return here * 31 + recurse(half, size / 2);
}
__global__ void k_recurse(i64 *o, unsigned n) {
    thread_block b = this_thread_block();
    unsigned i = lin_gid();
    thread_group t = tiled_partition(b, 32);
    o[0 * n + i] = recurse(t, 32);
    thread_group u = tiled_partition(b, 4);
    o[1 * n + i] = recurse(u, 4);
}

int main() {
    for (dim3 b : {dim3(64), dim3(128), dim3(16, 16)}) {
        unsigned n = count(b);
        Dev<i64> d(6 * n, 0xff);
        k_tree<<<1, b, n * sizeof(int)>>>(d.p, n);
        SYNC();
        emit_fields("legacy/tree/" + num(n), {"block", "t16", "t16_4", "static8", "this_thread", "static32"}, d);
    }
    for (dim3 b : {dim3(32), dim3(96), dim3(8, 8, 2)}) {
        unsigned n = 2 * count(b);
        Dev<i64> d(6 * n, 0xff);
        k_kinds<<<2, b>>>(d.p, n);
        SYNC();
        emit_fields("legacy/kinds/" + num(count(b)), {"block", "dyn8", "static32", "coalesced", "this_thread", "types"}, d);
    }
    {
        Dev<i64> d(4 * 48, 0xff);
        k_values<<<1, 48>>>(d.p, 48);
        SYNC();
        emit_fields("legacy/values", {"block", "tile", "thread", "sizeof"}, d);
    }
    for (unsigned cl : {1u, 2u, 4u}) {
        unsigned n = 8 * 24;
        Dev<int> a(n);
        Dev<i64> o(n, 0xff);
        cudaLaunchConfig_t cfg = {};
        cfg.gridDim = dim3(8);
        cfg.blockDim = dim3(24);
        cudaLaunchAttribute attr[1];
        attr[0].id = cudaLaunchAttributeClusterDimension;
        attr[0].val.clusterDim.x = cl;
        attr[0].val.clusterDim.y = 1;
        attr[0].val.clusterDim.z = 1;
        cfg.attrs = attr;
        cfg.numAttrs = 1;
        CK(cudaLaunchKernelEx(&cfg, k_cluster, a.p, o.p));
        SYNC();
        emit("legacy/cluster/" + num(cl), o.get64());
    }
    for (unsigned bs : {32u, 64u}) {
        Dev<i64> d(2 * bs, 0xff);
        k_recurse<<<1, bs>>>(d.p, bs);
        SYNC();
        emit_fields("legacy/recurse/" + num(bs), {"from32", "from4"}, d);
    }
    return finish();
}
