// SPDX-License-Identifier: Apache-2.0
// cluster_group: properties for 1D/2D/3D clusters, barriers, launches by attribute, by
// __cluster_dims__ and without a cluster (1x1x1).
#include "cgtest.h"

__device__ void fields(i64 *o, unsigned n) {
    cg::cluster_group c = cg::this_cluster();
    cg::grid_group g = cg::this_grid();
    unsigned i = lin_gid();
    dim3 ci = g.cluster_index(), cd = c.dim_blocks(), bi = c.block_index(), ti = c.thread_index();
    o[0 * n + i] = pack3(c.block_index());
    o[1 * n + i] = c.block_rank();
    o[2 * n + i] = pack3(c.thread_index());
    o[3 * n + i] = c.thread_rank();
    o[4 * n + i] = pack3(c.dim_blocks());
    o[5 * n + i] = pack3(c.dim_threads());
    o[6 * n + i] = c.num_blocks() * 10000 + c.num_threads();
    o[7 * n + i] = pack3(g.dim_clusters()) * 1000 + (i64)g.num_clusters();
    o[8 * n + i] = pack3(g.cluster_index());
    o[9 * n + i] = (i64)g.cluster_rank();
    o[10 * n + i] = (c.size() == c.num_threads()) + 2 * (cg::thread_rank(c) == c.thread_rank()) +
                    4 * (cg::group_size(c) == c.size()) +
                    8 * (ci.x * cd.x + bi.x == blockIdx.x && ci.y * cd.y + bi.y == blockIdx.y && ci.z * cd.z + bi.z == blockIdx.z) +
                    16 * (ti.x == bi.x * blockDim.x + threadIdx.x && ti.y == bi.y * blockDim.y + threadIdx.y &&
                          ti.z == bi.z * blockDim.z + threadIdx.z) +
                    32 * (cg::cluster_group::num_blocks() == cd.x * cd.y * cd.z) +
                    64 * (c.block_rank() == bi.x + cd.x * (bi.y + cd.y * bi.z));
}
static const std::vector<std::string> kFields = {"block_index", "block_rank", "thread_index", "thread_rank", "dim_blocks", "dim_threads",
                                                 "counts", "dim_clusters", "cluster_index", "cluster_rank", "checks"};

__global__ void k_props(i64 *o, unsigned n) { fields(o, n); }
__global__ void __cluster_dims__(2, 1, 1) k_props_211(i64 *o, unsigned n) { fields(o, n); }
__global__ void __cluster_dims__(1, 2, 2) k_props_122(i64 *o, unsigned n) { fields(o, n); }

template <typename... P, typename... A>
void launch(dim3 cluster, dim3 grid, dim3 block, size_t smem, void (*kernel)(P...), A... args) {
    cudaLaunchConfig_t cfg = {};
    cfg.gridDim = grid;
    cfg.blockDim = block;
    cfg.dynamicSmemBytes = smem;
    cudaLaunchAttribute attr[1];
    attr[0].id = cudaLaunchAttributeClusterDimension;
    attr[0].val.clusterDim.x = cluster.x;
    attr[0].val.clusterDim.y = cluster.y;
    attr[0].val.clusterDim.z = cluster.z;
    cfg.attrs = attr;
    cfg.numAttrs = 1;
    CK(cudaLaunchKernelEx(&cfg, kernel, args...));
    SYNC();
}

void props(const char *name, dim3 cluster, dim3 grid, dim3 block) {
    unsigned n = count(grid) * count(block);
    Dev<i64> d(11 * n, 0xff);
    launch(cluster, grid, block, 0, k_props, d.p, n);
    emit_fields(std::string("cluster/props/") + name, kFields, d);
}

// Barrier over the cluster, data through global memory.
__global__ void k_sync(int *a, i64 *o, int rounds) {
    auto c = cg::this_cluster();
    unsigned i = lin_gid(), r = c.thread_rank(), n = c.num_threads();
    int *mine = a + cg::this_grid().cluster_rank() * n;
    mine[r] = (int)i;
    c.sync();
    for (int k = 0; k < rounds; k++) {
        int v = ((volatile int *)mine)[(r + 7 + k) % n];
        c.sync();
        mine[r] = v * 2 + k;
        cg::sync(c);
    }
    o[i] = ((volatile int *)mine)[n - 1 - r];
}

// Split barrier, with and without the token, the block barrier in between.
__global__ void k_split(int *a, i64 *o) {
    __shared__ int s[128];
    auto c = cg::this_cluster();
    auto b = cg::this_thread_block();
    unsigned i = lin_gid(), r = c.thread_rank(), n = c.num_threads(), t = b.thread_rank();
    int *mine = a + cg::this_grid().cluster_rank() * n;
    mine[r] = (int)(i * 3);
    auto token = c.barrier_arrive();
    s[t] = (int)t;
    b.sync();
    int v = s[(t + 1) % b.size()];
    c.barrier_wait(std::move(token));
    int w = ((volatile int *)mine)[(r + b.size()) % n];
    c.barrier_arrive();
    b.sync();
    c.barrier_wait();
    mine[r] = v + w;
    cg::cluster_group::arrival_token t2 = cg::cluster_group::barrier_arrive();
    cg::cluster_group::barrier_wait(std::move(t2));
    o[i] = ((volatile int *)mine)[n - 1 - r];
}

// The base class view of a cluster group.
__device__ i64 base_view(const cg::thread_group &g) {
    g.sync();
    return (i64)g.size() * 10000 + (i64)g.thread_rank();
}
template <typename G>
__device__ i64 generic_view(const G &g) {
    g.sync();
    return (i64)g.num_threads() * 10000 + (i64)g.thread_rank();
}
__global__ void k_views(i64 *o, unsigned n) {
    cg::cluster_group c = cg::this_cluster();
    cg::cluster_group copy = c;
    cg::thread_group base = copy;
    unsigned i = lin_gid();
    o[0 * n + i] = base_view(c);
    o[1 * n + i] = base_view(base);
    o[2 * n + i] = generic_view(copy);
    o[3 * n + i] = generic_view(cg::this_thread_block());
}

int main() {
    props("c1", dim3(1), dim3(3), dim3(32));
    props("c2", dim3(2), dim3(6), dim3(33));
    props("c4", dim3(4), dim3(8), dim3(16));
    props("c8", dim3(8), dim3(8), dim3(5));
    props("c2x2", dim3(2, 2), dim3(4, 6), dim3(8, 4));
    props("c1x4", dim3(1, 4), dim3(3, 4), dim3(32));
    props("c1x1x2", dim3(1, 1, 2), dim3(2, 1, 6), dim3(4, 2, 2));
    props("c2x1x4", dim3(2, 1, 4), dim3(4, 2, 4), dim3(2, 3));
    props("c4x2", dim3(4, 2), dim3(4, 4), dim3(8));
    {
        unsigned n = 4 * 64;
        Dev<i64> d(11 * n, 0xff), e(11 * n, 0xff);
        k_props_211<<<4, 64>>>(d.p, n);
        SYNC();
        emit_fields("cluster/static_211", kFields, d);
        k_props_122<<<dim3(1, 4, 2), dim3(8, 4)>>>(e.p, 8 * 32);
        SYNC();
        emit_fields("cluster/static_122", kFields, e);
    }
    {
        unsigned n = 6 * 40;
        Dev<i64> d(11 * n, 0xff);
        k_props<<<dim3(3, 2), dim3(10, 4)>>>(d.p, n);  // no cluster: behaves as 1x1x1
        SYNC();
        emit_fields("cluster/none", kFields, d);
    }
    struct {
        dim3 c, g, b;
    } shapes[] = {{dim3(2), dim3(4), dim3(64)}, {dim3(4), dim3(4), dim3(33)}, {dim3(2, 2), dim3(4, 2), dim3(8, 8)}, {dim3(1, 2, 4), dim3(2, 2, 4), dim3(1)}, {dim3(8), dim3(16), dim3(32)}, {dim3(1), dim3(2), dim3(96)}};
    for (auto &s : shapes) {
        unsigned n = count(s.g) * count(s.b);
        std::string tag = num(s.c.x) + "x" + num(s.c.y) + "x" + num(s.c.z) + "_" + num(count(s.b));
        Dev<int> a(n);
        Dev<i64> o(n, 0xff), p(n, 0xff), v(4 * n, 0xff);
        launch(s.c, s.g, s.b, 0, k_sync, a.p, o.p, 6);
        emit("cluster/sync/" + tag, o.get64());
        launch(s.c, s.g, s.b, 0, k_split, a.p, p.p);
        emit("cluster/split/" + tag, p.get64());
        launch(s.c, s.g, s.b, 0, k_views, v.p, n);
        emit_fields("cluster/views/" + tag, {"base", "base_copy", "generic", "block"}, v);
    }
    return finish();
}
