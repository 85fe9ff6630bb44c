// SPDX-License-Identifier: Apache-2.0
// grid_group::barrier_arrive / barrier_wait: split grid barriers.
#include "cgtest.h"

// Write, arrive, do independent work, wait, read what another block wrote.
__global__ void k_neighbour(int *a, i64 *o, unsigned n, int rounds) {
    cg::grid_group g = cg::this_grid();
    unsigned i = (unsigned)g.thread_rank(), size = (unsigned)g.size(), step = (unsigned)cg::this_thread_block().size();
    i64 acc = 0, local = 0;
    for (int r = 0; r < rounds; r++) {
        int *buf = a + (r & 1) * size;
        buf[i] = (int)(i * 3 + r);
        cg::grid_group::arrival_token token = g.barrier_arrive();
        for (int k = 0; k < 3; k++) local += mix(i + k) & 7;  // overlapped work
        g.barrier_wait(std::move(token));
        acc = acc * 5 + ((volatile int *)buf)[(i + step * (r + 1)) % size];
        acc %= 1000000007;
    }
    o[0 * n + i] = acc;
    o[1 * n + i] = local;
}

// The block barrier may be used between arrival and wait.
__global__ void k_block_inside(int *a, i64 *o) {
    __shared__ int s[128];
    auto g = cg::this_grid();
    auto b = cg::this_thread_block();
    unsigned i = (unsigned)g.thread_rank(), t = b.thread_rank();
    a[i] = (int)(i * i % 97);
    auto token = g.barrier_arrive();
    s[t] = (int)t + 1;
    b.sync();
    int v = s[b.size() - 1 - t];
    b.sync();
    g.barrier_wait(std::move(token));
    o[i] = v * 1000 + ((volatile int *)a)[g.size() - 1 - i];
}

// Mixing sync() and the split form; sync() is wait(arrive()).
__global__ void k_mixed(int *a, i64 *o) {
    auto g = cg::this_grid();
    unsigned i = (unsigned)g.thread_rank(), n = (unsigned)g.size();
    a[i] = (int)i;
    g.sync();
    int v = ((volatile int *)a)[(i + 1) % n];
    g.barrier_wait(g.barrier_arrive());
    a[i] = v + 100;
    auto t = g.barrier_arrive();
    g.barrier_wait(std::move(t));
    int w = ((volatile int *)a)[(i + n - 1) % n];
    g.sync();
    a[i] = w * 2;
    g.sync();
    o[i] = ((volatile int *)a)[(i + n / 2) % n];
}

// A producer/consumer chain of stages, one split barrier per stage; each block owns a stage in turn.
__global__ void k_pipeline(int *buf, int width, int stages, i64 *o) {
    auto g = cg::this_grid();
    auto b = cg::this_thread_block();
    unsigned nb = (unsigned)g.num_blocks();
    for (int s = 0; s < stages; s++) {
        if (g.block_rank() == s % nb) {
            for (int k = (int)b.thread_rank(); k < width; k += (int)b.size()) {
                int prev = s ? ((volatile int *)buf)[(s - 1) * width + (k + 1) % width] : k;
                buf[s * width + k] = prev * 2 + s;
            }
        }
        auto token = g.barrier_arrive();
        g.barrier_wait(std::move(token));
    }
    if (g.thread_rank() < (unsigned)width) o[g.thread_rank()] = ((volatile int *)buf)[(stages - 1) * width + g.thread_rank()];
}

int main() {
    struct {
        dim3 g, b;
    } shapes[] = {{dim3(4), dim3(32)}, {dim3(3, 2), dim3(5, 5)}, {dim3(8), dim3(1)}, {dim3(1), dim3(128)}, {dim3(2, 2, 2), dim3(4, 2, 4)}, {dim3(5), dim3(100)}};
    for (auto &s : shapes) {
        unsigned n = count(s.g) * count(s.b);
        std::string tag = num(count(s.g)) + "x" + num(count(s.b));
        int rounds = 11;
        Dev<int> a(2 * n);
        Dev<i64> o(2 * n, 0xff);
        void *args[] = {&a.p, &o.p, &n, &rounds};
        CK(cudaLaunchCooperativeKernel(k_neighbour, s.g, s.b, args));
        SYNC();
        emit_fields("grid_barrier/neighbour/" + tag, {"acc", "local"}, o);
        Dev<i64> p(n, 0xff), q(n, 0xff);
        void *args2[] = {&a.p, &p.p};
        CK(cudaLaunchCooperativeKernel(k_block_inside, s.g, s.b, args2));
        SYNC();
        emit("grid_barrier/block_inside/" + tag, p.get64());
        void *args3[] = {&a.p, &q.p};
        CK(cudaLaunchCooperativeKernel(k_mixed, s.g, s.b, args3));
        SYNC();
        emit("grid_barrier/mixed/" + tag, q.get64());
    }
    for (int stages : {1, 4, 13}) {
        int width = 64;
        Dev<int> buf((size_t)width * stages);
        Dev<i64> o(width, 0xff);
        void *args[] = {&buf.p, &width, &stages, &o.p};
        CK(cudaLaunchCooperativeKernel(k_pipeline, dim3(5), dim3(32), args));
        SYNC();
        emit("grid_barrier/pipeline/" + num(stages), o.get64());
    }
    return finish();
}
