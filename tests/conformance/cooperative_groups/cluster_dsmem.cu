// SPDX-License-Identifier: Apache-2.0
// Distributed shared memory: map_shared_rank, query_shared_rank, remote loads, stores and atomics.
#include "cgtest.h"

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

// Every block reads the array of every other block.
__global__ void k_read(i64 *o) {
    __shared__ int s[128];
    auto c = cg::this_cluster();
    auto b = cg::this_thread_block();
    unsigned t = b.thread_rank(), i = lin_gid();
    s[t] = (int)(c.block_rank() * 1000 + t);
    c.sync();
    i64 acc = 0;
    for (unsigned r = 0; r < c.num_blocks(); r++) {
        const int *remote = c.map_shared_rank(s, (int)r);
        acc = acc * 3 + remote[(t + r) % b.size()];
    }
    o[i] = acc;
    c.sync();  // nobody leaves while its memory may be read
}

// Remote stores: a ring shift with dynamic shared memory.
__global__ void k_ring(i64 *o, int shifts) {
    extern __shared__ int d[];
    auto c = cg::this_cluster();
    unsigned t = cg::this_thread_block().thread_rank(), i = lin_gid(), n = blockDim.x * blockDim.y * blockDim.z;
    int *cur = d, *nxt = d + n;
    cur[t] = (int)i;
    for (int k = 0; k < shifts; k++) {
        c.sync();
        int *remote = c.map_shared_rank(nxt, (int)((c.block_rank() + 1) % c.num_blocks()));
        remote[(t + 1) % n] = cur[t] + 1;
        c.sync();
        int *x = cur;
        cur = nxt;
        nxt = x;
    }
    o[i] = cur[t];
    c.sync();
}

// query_shared_rank of own and mapped addresses.
struct Box {
    int a;
    double d;
    short v[8];
};
__global__ void k_query(i64 *o, unsigned n) {
    __shared__ Box box;
    extern __shared__ int dyn[];
    auto c = cg::this_cluster();
    unsigned i = lin_gid();
    c.sync();
    o[0 * n + i] = c.query_shared_rank(&box);
    i64 ok = 0, okd = 0;
    for (unsigned r = 0; r < c.num_blocks(); r++) {
        ok += c.query_shared_rank(c.map_shared_rank(&box.v[3], (int)r)) == r;
        okd += cg::cluster_group::query_shared_rank(cg::cluster_group::map_shared_rank(dyn + 5, (int)r)) == r;
    }
    o[1 * n + i] = ok;
    o[2 * n + i] = okd;
    Box *self = c.map_shared_rank(&box, (int)c.block_rank());
    if (threadIdx.x == 0) {
        self->a = (int)c.block_rank() + 5;
        self->d = c.block_rank() * 0.5;
        for (int k = 0; k < 8; k++) self->v[k] = (short)(c.block_rank() * 10 + k);
    }
    c.sync();
    const Box *next = c.map_shared_rank(&box, (int)((c.block_rank() + 1) % c.num_blocks()));
    o[3 * n + i] = next->a * 100000 + (i64)(next->d * 2) * 1000 + next->v[i % 8];
    o[4 * n + i] = box.a;
    c.sync();
}

// Histogram whose bins are spread over the blocks of the cluster.
__global__ void k_histogram(const int *in, int n, int bins, int *out) {
    extern __shared__ int h[];
    auto c = cg::this_cluster();
    auto b = cg::this_thread_block();
    auto g = cg::this_grid();
    int per = (bins + (int)c.num_blocks() - 1) / (int)c.num_blocks();
    for (int k = (int)b.thread_rank(); k < per; k += (int)b.size()) h[k] = 0;
    c.sync();
    for (int i = (int)g.thread_rank(); i < n; i += (int)g.size()) {
        int bin = in[i];
        int *remote = c.map_shared_rank(h, bin / per);
        atomicAdd(remote + bin % per, 1);
    }
    c.sync();
    for (int k = (int)b.thread_rank(); k < per; k += (int)b.size()) {
        int bin = (int)c.block_rank() * per + k;
        if (bin < bins) atomicAdd(&out[bin], h[k]);
    }
}

// All blocks fold into the shared memory of block 0, then everybody reads the total.
__global__ void k_fold(i64 *o) {
    __shared__ int sum, mx;
    __shared__ unsigned long long wide;
    auto c = cg::this_cluster();
    unsigned i = lin_gid();
    if (cg::this_thread_block().thread_rank() == 0) {
        sum = 0;
        mx = -1;
        wide = 0;
    }
    c.sync();
    int *s0 = c.map_shared_rank(&sum, 0), *m0 = c.map_shared_rank(&mx, 0);
    unsigned long long *w0 = c.map_shared_rank(&wide, 0);
    atomicAdd(s0, (int)(i % 7));
    atomicMax(m0, (int)(mix(i) & 0xffff));
    atomicAdd(w0, 1ull << 33);
    c.sync();
    o[i] = (i64)*s0 * 1000000 + *m0 + (i64)(*w0 >> 33) * 10000000000ll;
    c.sync();
}

// Matrix transpose between the blocks of a 2x2 cluster.
__global__ void k_transpose(const int *in, i64 *out, int side) {
    __shared__ int t[8][8];
    auto c = cg::this_cluster();
    dim3 bi = c.block_index();
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned gx = blockIdx.x * 8 + x, gy = blockIdx.y * 8 + y;
    unsigned partner = bi.y + bi.x * c.dim_blocks().x;  // block with exchanged coordinates
    int(*remote)[8] = c.map_shared_rank(t, (int)partner);
    c.sync();
    remote[x][y] = in[gy * side + gx];
    c.sync();
    unsigned base_x = blockIdx.x - bi.x, base_y = blockIdx.y - bi.y;  // cluster origin in blocks
    out[((base_y + bi.y) * 8 + y) * side + (base_x + bi.x) * 8 + x] = t[y][x];
    c.sync();
}

// Split barrier around initialisation, as in the manual: arrive, local work, wait, use remote memory.
__global__ void k_split(i64 *o) {
    __shared__ int s[64];
    auto c = cg::this_cluster();
    unsigned t = cg::this_thread_block().thread_rank(), i = lin_gid();
    s[t] = (int)(c.block_rank() * 100 + t);
    auto token = c.barrier_arrive();
    int local = (int)(mix(i) & 15);
    int *next = c.map_shared_rank(&s[0], (int)((c.block_rank() + 1) % c.num_blocks()));
    c.barrier_wait(std::move(token));
    o[i] = next[t] * 100 + local;
    c.sync();
}

int main() {
    struct {
        dim3 c, g, b;
    } shapes[] = {{dim3(1), dim3(2), dim3(32)}, {dim3(2), dim3(4), dim3(64)}, {dim3(4), dim3(8), dim3(33)}, {dim3(8), dim3(8), dim3(48)}, {dim3(2, 2), dim3(4, 2), dim3(32, 2)}, {dim3(1, 2, 4), dim3(2, 2, 4), dim3(4, 4, 4)}};
    for (auto &s : shapes) {
        unsigned n = count(s.g) * count(s.b);
        std::string tag = num(s.c.x) + "x" + num(s.c.y) + "x" + num(s.c.z) + "_" + num(count(s.b));
        Dev<i64> a(n, 0xff), b(n, 0xff), q(5 * n, 0xff), f(n, 0xff), p(n, 0xff);
        launch(s.c, s.g, s.b, 0, k_read, a.p);
        emit("cluster_dsmem/read/" + tag, a.get64());
        launch(s.c, s.g, s.b, 2 * count(s.b) * sizeof(int), k_ring, b.p, 5);
        emit("cluster_dsmem/ring/" + tag, b.get64());
        launch(s.c, s.g, s.b, 64, k_query, q.p, n);
        emit_fields("cluster_dsmem/query/" + tag, {"own", "static", "dynamic", "struct", "self"}, q);
        launch(s.c, s.g, s.b, 0, k_fold, f.p);
        emit("cluster_dsmem/fold/" + tag, f.get64());
        launch(s.c, s.g, s.b, 0, k_split, p.p);
        emit("cluster_dsmem/split/" + tag, p.get64());
    }
    for (int bins : {8, 37, 100}) {
        int n = 5000;
        std::vector<int> in(n), want(bins, 0);
        for (int i = 0; i < n; i++) want[in[i] = (int)(mix((unsigned)i) % (unsigned)bins)]++;
        Dev<int> di(n), out(bins);
        di.put(in);
        launch(dim3(4), dim3(8), dim3(128), 128 * sizeof(int), k_histogram, (const int *)di.p, n, bins, out.p);
        std::vector<int> got = out.get();
        for (int k = 0; k < bins; k++) require(got[k] == want[k], "histogram");
        emit("cluster_dsmem/histogram/" + num(bins), out.get64());
    }
    {
        int side = 32;
        std::vector<int> in(side * side);
        for (int i = 0; i < side * side; i++) in[i] = i;
        Dev<int> di(side * side);
        di.put(in);
        Dev<i64> o(side * side, 0xff);
        launch(dim3(2, 2), dim3(4, 4), dim3(8, 8), 0, k_transpose, (const int *)di.p, o.p, side);
        emit("cluster_dsmem/transpose/32", o.get64());
    }
    return finish();
}
