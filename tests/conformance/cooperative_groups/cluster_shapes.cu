// SPDX-License-Identifier: Apache-2.0
// Clusters of odd sizes and shapes, with cooperative launches; tokens; the block's and the grid's barrier in between.
#include "cgtest.h"

// What every thread of a cluster knows of it, and a word of each of its blocks.
__global__ void k_facts(i64 *o, unsigned n) {
    __shared__ int s[64];
    auto c = cg::this_cluster();
    auto g = cg::this_grid();
    auto b = cg::this_thread_block();
    unsigned i = lin_gid();
    int k = 0;
    s[b.thread_rank()] = (int)(g.block_rank() * 100 + b.thread_rank());
    cg::thread_group tg = c;
    tg.sync();
    o[k++ * n + i] = pack3(c.block_index());
    o[k++ * n + i] = pack3(c.dim_blocks());
    o[k++ * n + i] = pack3(c.thread_index());
    o[k++ * n + i] = pack3(c.dim_threads());
    o[k++ * n + i] = c.block_rank() * 100 + c.num_blocks();
    o[k++ * n + i] = c.thread_rank() * 10000ll + c.num_threads();
    o[k++ * n + i] = pack3(g.cluster_index());
    o[k++ * n + i] = pack3(g.dim_clusters());
    o[k++ * n + i] = (i64)g.cluster_rank() * 100 + (i64)g.num_clusters();
    o[k++ * n + i] = (i64)g.thread_rank() * 10000 + (i64)g.num_threads();
    o[k++ * n + i] = (i64)tg.thread_rank() * 10000 + (i64)tg.size();
    i64 sum = 0;
    for (unsigned r = 0; r < c.num_blocks(); r++) sum = sum * 3 + c.map_shared_rank(s, (int)r)[b.thread_rank()];
    o[k++ * n + i] = sum & 0xffffffffff;
    o[k++ * n + i] = c.query_shared_rank(c.map_shared_rank(&s[3], (int)(c.num_blocks() - 1)));
    auto token = c.barrier_arrive();
    b.sync();
    c.barrier_wait(static_cast<decltype(token) &&>(token));
    c.barrier_arrive();
    b.sync();
    c.barrier_wait();
    c.sync();
}

static const std::vector<std::string> kFacts = {"bi", "db", "ti", "dt", "rank", "trank", "ci", "dc", "crank", "grank", "tg", "dsmem", "query"};

// The barriers of grid, cluster and block between each other.
__global__ void k_coop(i64 *o, unsigned n, int *words) {
    auto c = cg::this_cluster();
    auto g = cg::this_grid();
    __shared__ int s;
    unsigned i = lin_gid();
    if (threadIdx.x == 0) s = (int)blockIdx.x + 1;
    c.sync();
    if (threadIdx.x == 0) {
        int t = 0;
        for (unsigned r = 0; r < c.num_blocks(); r++) t += *c.map_shared_rank(&s, (int)r);
        words[blockIdx.x] = t;
    }
    auto token = g.barrier_arrive();
    c.sync();
    cg::this_thread_block().sync();
    g.barrier_wait(static_cast<decltype(token) &&>(token));
    int t = 0;
    for (unsigned k = 0; k < gridDim.x; k++) t += ((volatile int *)words)[k];
    o[0 * n + i] = t;
    o[1 * n + i] = g.is_valid();
    g.sync();
    cg::thread_group tg = c;
    o[2 * n + i] = (i64)tg.size();
}

static cudaError_t launch(void *kernel, dim3 grid, dim3 block, dim3 cluster, bool cooperative, void **args) {
    cudaLaunchConfig_t config = {};
    config.gridDim = grid, config.blockDim = block;
    cudaLaunchAttribute a[2] = {};
    a[0].id = cudaLaunchAttributeClusterDimension, a[0].val.clusterDim.x = cluster.x, a[0].val.clusterDim.y = cluster.y,
    a[0].val.clusterDim.z = cluster.z;
    a[1].id = cudaLaunchAttributeCooperative, a[1].val.cooperative = 1;
    config.attrs = a, config.numAttrs = cooperative ? 2 : 1;
    return cudaLaunchKernelExC(&config, kernel, args);
}

int main() {
    struct {
        dim3 grid, block, cluster;
    } shapes[] = {{dim3(6), dim3(32), dim3(3)},
                  {dim3(5), dim3(8, 4), dim3(5)},
                  {dim3(6, 2), dim3(32), dim3(3, 2)},
                  {dim3(7), dim3(33), dim3(7)},
                  {dim3(2, 2, 4), dim3(4, 4, 2), dim3(2, 2, 2)},
                  {dim3(4, 3, 2), dim3(16, 3), dim3(1, 3, 2)},
                  {dim3(8, 1, 3), dim3(40), dim3(2, 1, 3)},
                  {dim3(3, 3), dim3(32), dim3(1, 1, 1)}};
    int which = 0;
    for (auto &s : shapes) {
        unsigned n = count(s.grid) * count(s.block);
        Dev<i64> d(13 * n, 0xff);
        i64 *p = d.p;
        void *args[] = {&p, &n};
        CK(launch((void *)k_facts, s.grid, s.block, s.cluster, false, args));
        SYNC();
        emit_fields("facts/" + num(which++), kFacts, d);
    }
    for (unsigned cluster : {1u, 2u, 3u, 4u, 6u, 8u}) {
        unsigned blocks = cluster * 3, n = blocks * 64;
        Dev<i64> d(3 * n, 0xff);
        Dev<int> w(blocks);
        i64 *p = d.p;
        int *q = w.p;
        void *args[] = {&p, &n, &q};
        CK(launch((void *)k_coop, dim3(blocks), dim3(64), dim3(cluster), true, args));
        SYNC();
        emit_fields("coop/" + num(cluster), {"sum", "valid", "size"}, d);
    }
    for (dim3 bad : {dim3(9), dim3(4, 3), dim3(0), dim3(16), dim3(5)}) {
        unsigned n = 0;
        i64 *p = nullptr;
        void *args[] = {&p, &n};
        cudaError_t e = launch((void *)k_facts, dim3(12, 12), dim3(32), bad, false, args);
        emit_text("bad/" + num(bad.x) + "x" + num(bad.y), cudaGetErrorName(e));
        emit_text("bad_last", cudaGetErrorName(cudaGetLastError()));
        if (e == cudaSuccess) emit_text("bad_sync", cudaGetErrorName(cudaDeviceSynchronize()));
    }
    return finish();
}
