// SPDX-License-Identifier: Apache-2.0
// thread_block: properties for many shapes, block wide barriers, handles passed around.
#include "cgtest.h"

struct Shape {
    const char *name;
    dim3 grid, block;
};

__global__ void k_props(i64 *o, unsigned n) {
    cg::thread_block b = cg::this_thread_block();
    unsigned i = lin_gid();
    o[0 * n + i] = b.thread_rank();
    o[1 * n + i] = pack3(b.thread_index());
    o[2 * n + i] = pack3(b.group_index());
    o[3 * n + i] = pack3(b.dim_threads());
    o[4 * n + i] = (pack3(b.group_dim()) == pack3(b.dim_threads())) * 100 +
                   (b.size() == b.num_threads()) * 10 + (b.thread_rank() == lin_tid());
    o[5 * n + i] = b.num_threads();
    o[6 * n + i] = (i64)cg::thread_rank(b) * 10000 + cg::group_size(b);
}

// Static members are callable without an object.
__global__ void k_static(i64 *o, unsigned n) {
    unsigned i = lin_gid();
    __shared__ unsigned s[64];
    s[cg::thread_block::thread_rank()] = i * 3;
    cg::thread_block::sync();
    o[0 * n + i] = s[cg::thread_block::size() - 1 - cg::thread_block::thread_rank()];
    o[1 * n + i] = pack3(cg::thread_block::group_index());
    o[2 * n + i] = pack3(cg::thread_block::thread_index());
    o[3 * n + i] = cg::thread_block::num_threads();
    o[4 * n + i] = pack3(cg::thread_block::dim_threads());
}

__global__ void k_reverse(i64 *o) {
    extern __shared__ int buf[];
    auto b = cg::this_thread_block();
    unsigned r = b.thread_rank();
    buf[r] = (int)(lin_bid() * 1000 + r);
    b.sync();
    o[lin_gid()] = buf[b.size() - 1 - r];
}

__device__ int rotate_in_block(const cg::thread_block &b, int *tmp, int v, int by) {
    tmp[b.thread_rank()] = v;
    b.sync();
    int r = tmp[(b.thread_rank() + by) % b.num_threads()];
    cg::sync(b);
    return r;
}

template <typename G>
__device__ int sum_serial(const G &g, int *tmp, int v) {
    tmp[g.thread_rank()] = v;
    g.sync();
    if (g.thread_rank() == 0) {
        int s = 0;
        for (unsigned i = 0; i < (unsigned)g.size(); i++) s += tmp[i];
        tmp[0] = s;
    }
    g.sync();
    int s = tmp[0];
    g.sync();
    return s;
}

__device__ unsigned rank_by_value(cg::thread_block b) { return b.thread_rank() * 2 + 1; }

__global__ void k_functions(i64 *o, unsigned n) {
    __shared__ int tmp[256];
    cg::thread_block b = cg::this_thread_block();
    cg::thread_block copy = b;
    const cg::thread_block &ref = copy;
    unsigned i = lin_gid();
    int v = (int)mix(i) & 1023;
    o[0 * n + i] = rotate_in_block(ref, tmp, v, 5);
    o[1 * n + i] = sum_serial(b, tmp, v);
    o[2 * n + i] = rank_by_value(copy);
    o[3 * n + i] = rotate_in_block(cg::this_thread_block(), tmp, v, -1 + (int)b.size());
}

// barrier_arrive / barrier_wait: what was written before the arrival is visible after the wait.
__global__ void k_arrive_wait(i64 *o, unsigned n, int rounds) {
    __shared__ int a[256];
    auto b = cg::this_thread_block();
    unsigned r = b.thread_rank(), i = lin_gid();
    int acc = 0, local = 0;
    for (int k = 0; k < rounds; k++) {
        a[r] = (int)(r * (k + 1));
        cg::thread_block::arrival_token t = b.barrier_arrive();
        local += k;  // independent work between arrival and wait
        b.barrier_wait(std::move(t));
        acc += a[(r + k + 1) % b.size()];
        b.sync();
    }
    o[0 * n + i] = acc;
    o[1 * n + i] = local;
}

// Hillis-Steele inclusive scan over the whole block: log2(n) rounds of two barriers.
__global__ void k_scan(i64 *o) {
    __shared__ int s[1024];
    auto b = cg::this_thread_block();
    unsigned r = b.thread_rank();
    s[r] = (int)(mix(r) & 15);
    b.sync();
    for (unsigned d = 1; d < b.size(); d <<= 1) {
        int v = r >= d ? s[r - d] : 0;
        b.sync();
        s[r] += v;
        b.sync();
    }
    o[lin_gid()] = s[r];
}

// Odd-even transposition sort of blockDim elements.
__global__ void k_sort(i64 *o) {
    __shared__ int s[128];
    auto b = cg::this_thread_block();
    unsigned r = b.thread_rank(), n = b.size();
    s[r] = (int)(mix(r + 77) % 1000);
    b.sync();
    for (unsigned p = 0; p < n; p++) {
        unsigned l = 2 * r + (p & 1);
        if (l + 1 < n && s[l] > s[l + 1]) {
            int t = s[l];
            s[l] = s[l + 1];
            s[l + 1] = t;
        }
        b.sync();
    }
    o[lin_gid()] = s[r];
}

// 2D tile transpose, 2D grid.
__global__ void k_transpose(const int *in, i64 *out, int w, int h) {
    __shared__ int t[8][9];
    auto b = cg::this_thread_block();
    dim3 ti = b.thread_index(), gi = b.group_index();
    int x = (int)(gi.x * 8 + ti.x), y = (int)(gi.y * 8 + ti.y);
    if (x < w && y < h) t[ti.y][ti.x] = in[y * w + x];
    b.sync();
    x = (int)(gi.y * 8 + ti.x);
    y = (int)(gi.x * 8 + ti.y);
    if (x < h && y < w) out[y * h + x] = t[ti.x][ti.y];
}

// Three kinds of shared memory in one kernel, block level tree reduction.
template <int N>
__global__ void k_tree(i64 *o) {
    __shared__ int s[N];
    __shared__ int total;
    auto b = cg::this_thread_block();
    unsigned r = b.thread_rank();
    s[r] = (int)(mix(lin_gid()) % 100);
    b.sync();
    for (int d = N / 2; d > 0; d >>= 1) {
        if ((int)r < d) s[r] += s[r + d];
        b.sync();
    }
    if (r == 0) total = s[0];
    b.sync();
    o[lin_gid()] = total;
}

static void whole_blocks() {
    const Shape shapes[] = {
        {"1x1x1", dim3(1), dim3(1)},          {"2x31", dim3(2), dim3(31)},
        {"1x32", dim3(1), dim3(32)},          {"3x33", dim3(3), dim3(33)},
        {"2x64", dim3(2), dim3(64)},          {"1x100", dim3(1), dim3(100)},
        {"1x1024", dim3(1), dim3(1024)},      {"g2x3_b16x8", dim3(2, 3), dim3(16, 8)},
        {"g1_b7x5", dim3(1), dim3(7, 5)},     {"g2x2x2_b4x4x4", dim3(2, 2, 2), dim3(4, 4, 4)},
        {"g1x2x3_b5x3x2", dim3(1, 2, 3), dim3(5, 3, 2)}, {"g1_b2x3x7", dim3(1), dim3(2, 3, 7)},
        {"g2_b1x64x1", dim3(2), dim3(1, 64, 1)}, {"g1_b1x1x64", dim3(1), dim3(1, 1, 64)},
        {"g1_b32x32", dim3(1), dim3(32, 32)},
    };
    for (const Shape &s : shapes) {
        unsigned n = count(s.grid) * count(s.block);
        Dev<i64> d(7 * n, 0xff);
        k_props<<<s.grid, s.block>>>(d.p, n);
        SYNC();
        emit_fields(std::string("block/props/") + s.name,
                    {"rank", "thread_index", "group_index", "dim_threads", "legacy_ok", "size", "free"}, d);
    }
    {
        Dev<i64> d(5 * 2 * 48);
        k_static<<<2, dim3(8, 6)>>>(d.p, 2 * 48);
        SYNC();
        emit_fields("block/static", {"rev", "group_index", "thread_index", "num_threads", "dim_threads"}, d);
    }
    const dim3 rb[] = {dim3(1), dim3(17), dim3(32), dim3(96), dim3(9, 5), dim3(3, 4, 5), dim3(512)};
    for (dim3 b : rb) {
        Dev<i64> d(2 * count(b));
        k_reverse<<<2, b, count(b) * sizeof(int)>>>(d.p);
        SYNC();
        emit("block/reverse/" + num(b.x) + "x" + num(b.y) + "x" + num(b.z), d.get64());
    }
    for (dim3 b : {dim3(40), dim3(64), dim3(16, 16)}) {
        unsigned n = 2 * count(b);
        Dev<i64> d(4 * n);
        k_functions<<<2, b>>>(d.p, n);
        SYNC();
        emit_fields("block/functions/" + num(count(b)), {"rotate", "sum", "by_value", "rotate_back"}, d);
    }
}

static void algorithms() {
    for (dim3 b : {dim3(33), dim3(128), dim3(5, 5, 5)}) {
        unsigned n = count(b);
        Dev<i64> d(2 * n);
        k_arrive_wait<<<1, b>>>(d.p, n, 7);
        SYNC();
        emit_fields("block/arrive_wait/" + num(n), {"acc", "local"}, d);
    }
    for (int b : {1, 2, 31, 32, 200, 1024}) {
        Dev<i64> d(b);
        k_scan<<<1, b>>>(d.p);
        SYNC();
        emit("block/scan/" + num(b), d.get64());
    }
    for (int b : {2, 35, 128}) {
        Dev<i64> d(b);
        k_sort<<<1, b>>>(d.p);
        SYNC();
        std::vector<i64> v = d.get64();
        for (size_t i = 1; i < v.size(); i++) require(v[i - 1] <= v[i], "sorted");
        emit("block/sort/" + num(b), v);
    }
    {
        int w = 21, h = 13;
        std::vector<int> in(w * h);
        for (int i = 0; i < w * h; i++) in[i] = i;
        Dev<int> di(w * h);
        di.put(in);
        Dev<i64> d(w * h, 0xff);
        k_transpose<<<dim3(3, 2), dim3(8, 8)>>>(di.p, d.p, w, h);
        SYNC();
        emit("block/transpose/21x13", d.get64());
    }
    {
        Dev<i64> a(3 * 64), b(2 * 256);
        k_tree<64><<<3, 64>>>(a.p);
        SYNC();
        k_tree<256><<<2, dim3(32, 4, 2)>>>(b.p);
        SYNC();
        emit("block/tree/64", a.get64());
        emit("block/tree/256", b.get64());
    }
}

int main() {
    whole_blocks();
    algorithms();
    return finish();
}
