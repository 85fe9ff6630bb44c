// SPDX-License-Identifier: Apache-2.0
// grid_group: properties in plain and cooperative launches, grid wide barriers, algorithms on them.
#include "cgtest.h"

__global__ void k_props(i64 *o, unsigned n) {
    cg::grid_group g = cg::this_grid();
    unsigned i = lin_gid();
    o[0 * n + i] = (i64)g.thread_rank();
    o[1 * n + i] = (i64)g.block_rank();
    o[2 * n + i] = pack3(g.block_index());
    o[3 * n + i] = pack3(g.thread_index());
    o[4 * n + i] = pack3(g.dim_blocks());
    o[5 * n + i] = pack3(g.dim_threads());
    o[6 * n + i] = (i64)g.num_threads() * 10000 + (i64)g.num_blocks();
    o[7 * n + i] = (g.size() == g.num_threads()) + 2 * (pack3(g.group_dim()) == pack3(g.dim_blocks())) +
                   4 * (cg::group_size(g) == g.size()) + 8 * (cg::thread_rank(g) == g.thread_rank()) +
                   16 * (g.thread_rank() == i) + 32 * (cg::grid_group::num_blocks() == g.num_blocks());
    o[8 * n + i] = g.is_valid();
    o[9 * n + i] = pack3(g.dim_clusters()) * 100 + (i64)g.num_clusters();
    o[10 * n + i] = pack3(g.cluster_index()) * 100 + (i64)g.cluster_rank();
}
static const std::vector<std::string> kProps = {"rank", "block_rank", "block_index", "thread_index", "dim_blocks", "dim_threads",
                                                "counts", "checks", "is_valid", "dim_clusters", "cluster"};

void props(const char *name, dim3 grid, dim3 block) {
    unsigned n = count(grid) * count(block);
    Dev<i64> a(11 * n, 0xff), b(11 * n, 0xff);
    k_props<<<grid, block>>>(a.p, n);
    SYNC();
    // is_valid() of a plain launch is not printed: a device answers false in a fresh process, but
    // true once there has been a cooperative launch
    for (size_t f = 0; f < kProps.size(); f++)
        if (kProps[f] != "is_valid") emit(std::string("grid/plain/") + name + "/" + kProps[f], a.get64(f * n, n));
    void *args[] = {&b.p, &n};
    CK(cudaLaunchCooperativeKernel(k_props, grid, block, args));
    SYNC();
    emit_fields(std::string("grid/coop/") + name, kProps, b);
}

// Sum over the grid: partial sums per block, barrier, block 0 folds, barrier, everybody reads.
__global__ void k_sum(const int *in, int n, int *partial, int *total, i64 *o) {
    __shared__ int s[256];
    auto g = cg::this_grid();
    auto b = cg::this_thread_block();
    int v = 0;
    for (unsigned long long i = g.thread_rank(); i < (unsigned long long)n; i += g.size()) v += in[i];
    s[b.thread_rank()] = v;
    b.sync();
    if (b.thread_rank() == 0) {
        int t = 0;
        for (unsigned k = 0; k < b.size(); k++) t += s[k];
        partial[g.block_rank()] = t;
    }
    g.sync();
    if (g.thread_rank() == 0) {
        int t = 0;
        for (unsigned k = 0; k < g.num_blocks(); k++) t += partial[k];
        *total = t;
    }
    cg::sync(g);
    o[g.thread_rank()] = *(volatile int *)total;
}

// Jacobi style ping-pong: every step needs the neighbours of the previous one.
__global__ void k_stencil(int *a, int *b, int n, int steps) {
    cg::grid_group g = cg::this_grid();
    int i = (int)g.thread_rank();
    for (int s = 0; s < steps; s++) {
        if (i < n) {
            int l = a[(i + n - 1) % n], r = a[(i + 1) % n];
            b[i] = (l + 2 * a[i] + r) % 1009 + s;
        }
        g.sync();
        int *t = a;
        a = b;
        b = t;
    }
}

// Odd-even transposition sort over the whole grid, one barrier per phase.
__global__ void k_sort(int *x, int n) {
    auto g = cg::this_grid();
    int i = (int)g.thread_rank();
    for (int p = 0; p < n; p++) {
        int l = 2 * i + (p & 1);
        if (l + 1 < n && x[l] > x[l + 1]) {
            int t = x[l];
            x[l] = x[l + 1];
            x[l + 1] = t;
        }
        g.sync();
    }
}

// Inclusive prefix sum over the grid (Hillis-Steele in global memory).
__global__ void k_scan(int *a, int *b, int n, int *result) {
    auto g = cg::this_grid();
    int i = (int)g.thread_rank();
    for (int d = 1; d < n; d *= 2) {
        if (i < n) b[i] = a[i] + (i >= d ? a[i - d] : 0);
        g.sync();
        int *t = a;
        a = b;
        b = t;
    }
    if (i < n) result[i] = a[i];
}

// Every round each block bumps a counter; after the barrier all must see the full count.
__global__ void k_rounds(int *counter, i64 *bad, int rounds) {
    auto g = cg::this_grid();
    int mine = 0;
    for (int r = 1; r <= rounds; r++) {
        if (cg::this_thread_block().thread_rank() == 0) atomicAdd(counter, 1);
        g.sync();
        int seen = *(volatile int *)counter;
        if (seen != r * (int)g.num_blocks()) mine++;
        g.sync();
    }
    bad[g.thread_rank()] = mine;
}

// Level synchronous breadth first search on an implicit graph.
__global__ void k_bfs(int *dist, int n, int *changed) {
    auto g = cg::this_grid();
    for (int level = 0;; level++) {
        if (g.thread_rank() == 0) changed[(level + 1) % 3] = 0;
        for (int v = (int)g.thread_rank(); v < n; v += (int)g.size()) {
            if (((volatile int *)dist)[v] == level) {
                int next[3] = {(v * 2 + 1) % n, (v * 3 + 2) % n, (v + 7) % n};
                for (int k = 0; k < 3; k++)
                    if (atomicCAS(&dist[next[k]], -1, level + 1) == -1) atomicExch(&changed[level % 3], 1);
            }
        }
        g.sync();
        if (((volatile int *)changed)[level % 3] == 0) break;
    }
}

// A barrier taken inside a device function that got the group by reference, by value and by template.
__device__ void by_ref(const cg::grid_group &g) { g.sync(); }
__device__ void by_value(cg::grid_group g) { g.sync(); }
template <typename G>
__device__ void by_template(const G &g) {
    cg::sync(g);
}
__global__ void k_functions(int *a, i64 *o) {
    cg::grid_group g = cg::this_grid();
    cg::grid_group copy = g;
    unsigned i = (unsigned)g.thread_rank(), n = (unsigned)g.size();
    a[i] = (int)i;
    by_ref(copy);
    int v = ((volatile int *)a)[(i + n / 2) % n];
    by_value(g);
    a[i] = v * 2;
    by_template(copy);
    o[i] = ((volatile int *)a)[n - 1 - i];
}

static void shapes_of_grids() {
    int dev = 0, coop = 0;
    CK(cudaGetDevice(&dev));
    CK(cudaDeviceGetAttribute(&coop, cudaDevAttrCooperativeLaunch, dev));
    emit("grid/attribute/cooperative_launch", coop);
    props("g1_b1", dim3(1), dim3(1));
    props("g5_b33", dim3(5), dim3(33));
    props("g2x3_b8x4", dim3(2, 3), dim3(8, 4));
    props("g2x2x3_b3x5x2", dim3(2, 2, 3), dim3(3, 5, 2));
    props("g1x4x2_b1x32", dim3(1, 4, 2), dim3(1, 32));
    struct {
        dim3 g, b;
    } shapes[] = {{dim3(4), dim3(64)}, {dim3(2, 3), dim3(16, 8)}, {dim3(7), dim3(33)}, {dim3(16), dim3(1)}, {dim3(1), dim3(256)}, {dim3(2, 2, 2), dim3(4, 4, 2)}};
    for (auto &s : shapes) {
        int n = 3000;
        unsigned threads = count(s.g) * count(s.b);
        std::string tag = num(count(s.g)) + "x" + num(count(s.b));
        std::vector<int> in(n);
        int want = 0;
        for (int i = 0; i < n; i++) want += in[i] = (int)(mix((unsigned)i) % 1000);
        Dev<int> di(n), partial(64), total(1);
        di.put(in);
        Dev<i64> o(threads, 0xff);
        void *args[] = {&di.p, &n, &partial.p, &total.p, &o.p};
        CK(cudaLaunchCooperativeKernel((void *)k_sum, s.g, s.b, args, 0, (cudaStream_t)0));
        SYNC();
        require(total.get()[0] == want, "grid sum");
        emit("grid/sum/" + tag, o.get64());

        int m = 100, steps = 9;
        if ((unsigned)m > threads) m = (int)threads;
        std::vector<int> x(m);
        for (int i = 0; i < m; i++) x[i] = (int)(mix((unsigned)i + 7) % 1009);
        Dev<int> a(m), b(m);
        a.put(x);
        void *args2[] = {&a.p, &b.p, &m, &steps};
        CK(cudaLaunchCooperativeKernel(k_stencil, s.g, s.b, args2));
        SYNC();
        emit("grid/stencil/" + tag, b.get64());

        int rounds = 20;
        Dev<int> counter(1);
        Dev<i64> bad(threads, 0xff);
        void *args3[] = {&counter.p, &bad.p, &rounds};
        CK(cudaLaunchCooperativeKernel(k_rounds, s.g, s.b, args3));
        SYNC();
        emit("grid/rounds/" + tag + "/counter", counter.get()[0]);
        emit("grid/rounds/" + tag + "/bad", bad.get64());

        Dev<int> fa(threads);
        Dev<i64> fo(threads, 0xff);
        void *args4[] = {&fa.p, &fo.p};
        CK(cudaLaunchCooperativeKernel(k_functions, s.g, s.b, args4));
        SYNC();
        emit("grid/functions/" + tag, fo.get64());
    }
}

static void algorithms() {
    {
        int n = 200;
        std::vector<int> x(n);
        for (int i = 0; i < n; i++) x[i] = (int)(mix((unsigned)i + 31) % 5000);
        Dev<int> a(n);
        a.put(x);
        void *args[] = {&a.p, &n};
        CK(cudaLaunchCooperativeKernel(k_sort, dim3(4), dim3(32), args));
        SYNC();
        std::vector<i64> v = a.get64();
        for (int i = 1; i < n; i++) require(v[i - 1] <= v[i], "grid sort");
        emit("grid/sort", v);
    }
    for (int n : {1, 2, 100, 256}) {
        std::vector<int> x(n);
        for (int i = 0; i < n; i++) x[i] = (int)(mix((unsigned)i + 3) % 50);
        Dev<int> a(n), b(n), r(n);
        a.put(x);
        void *args[] = {&a.p, &b.p, &n, &r.p};
        CK(cudaLaunchCooperativeKernel(k_scan, dim3(4, 2), dim3(32), args));
        SYNC();
        emit("grid/scan/" + num(n), r.get64());
    }
    {
        int n = 777;
        std::vector<int> x(n, -1);
        x[0] = 0;
        Dev<int> d(n), changed(3);
        d.put(x);
        void *args[] = {&d.p, &n, &changed.p};
        CK(cudaLaunchCooperativeKernel(k_bfs, dim3(6), dim3(64), args));
        SYNC();
        emit("grid/bfs", d.get64());
    }
}

int main() {
    shapes_of_grids();
    algorithms();
    return finish();
}
