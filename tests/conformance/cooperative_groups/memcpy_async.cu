// SPDX-License-Identifier: Apache-2.0
// cg::memcpy_async (bytes, layouts, aligned_size_t), cg::wait, cg::wait_prior.
// Not covered on purpose: byte copies whose source and destination differ by 2 modulo 4 with an odd
// count or odd addresses (the CUDA 13.0 headers do not copy those correctly).
#include "cgtest.h"

#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>  // cuda::aligned_size_t

template <typename T>
__host__ __device__ T val(int i) {
    return (T)((i * 7 + 3) % 120);
}
template <>
__host__ __device__ float4 val<float4>(int i) {
    return make_float4((float)i, i * 0.5f, (float)(-i), 1.0f);
}
struct Odd {  // 12 bytes, alignment 4
    int a;
    short b, c;
    float d;
};
template <>
__host__ __device__ Odd val<Odd>(int i) {
    Odd o = {i, (short)(i + 1), (short)(i * 2), i * 0.25f};
    return o;
}
template <typename T>
__device__ i64 show(const T &v) {
    return (i64)v;
}
__device__ i64 show(const float4 &v) { return (i64)v.x + 1000ll * (i64)(v.y * 2) + 1000000ll * (i64)v.z + (i64)v.w; }
__device__ i64 show(const Odd &v) { return v.a + 1000ll * v.b + 1000000ll * v.c + (i64)(v.d * 4) * 1000000000ll; }

// which: 0 bytes, 1 layout pair, 2 aligned_size_t bytes, 3 void pointers
template <typename T, typename G>
__device__ void copy(const G &g, T *dst, const T *src, int n, int which) {
    if (which == 0)
        cg::memcpy_async(g, dst, src, sizeof(T) * n);
    else if (which == 1)
        cg::memcpy_async(g, dst, n + 5, src, n);
    else if (which == 2)
        cg::memcpy_async(g, dst, src, cuda::aligned_size_t<alignof(T)>(sizeof(T) * n));
    else
        cg::memcpy_async(g, (void *)dst, (const void *)src, (unsigned)(sizeof(T) * n));
}

template <typename T>
__global__ void k_block(const T *in, int n, int which, i64 *o) {
    extern __shared__ __align__(16) char raw[];
    T *s = (T *)raw;
    auto b = cg::this_thread_block();
    copy(b, s, in, n, which);
    cg::wait(b);
    for (int i = (int)b.thread_rank(); i < n; i += (int)b.size()) o[i] = show(s[n - 1 - i]);
}

// Every tile copies its own slice.
template <unsigned N, typename T>
__global__ void k_tile(const T *in, int per, int which, i64 *o) {
    extern __shared__ __align__(16) char raw[];
    auto b = cg::this_thread_block();
    auto t = cg::tiled_partition<N>(b);
    T *s = (T *)raw + t.meta_group_rank() * per;
    const T *src = in + t.meta_group_rank() * per;
    copy(t, s, src, per, which);
    cg::wait(t);
    for (int i = (int)t.thread_rank(); i < per; i += (int)N) o[t.meta_group_rank() * per + i] = show(s[per - 1 - i]);
}

template <typename T>
__global__ void k_coalesced(const T *in, int per, int which, i64 *o) {
    extern __shared__ __align__(16) char raw[];
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    cg::coalesced_group g = cg::labeled_partition(w, w.thread_rank() % 3);
    int id = (int)(w.meta_group_rank() * 3 + g.meta_group_rank());
    T *s = (T *)raw + id * per;
    copy(g, s, in + id * per, per, which);
    cg::wait(g);
    for (int i = (int)g.thread_rank(); i < per; i += (int)g.size()) o[id * per + i] = show(s[per - 1 - i]);
}

__global__ void k_this_thread(const int *in, i64 *o) {
    __shared__ int s[4 * 64];
    auto t = cg::this_thread();
    unsigned r = lin_tid();
    cg::memcpy_async(t, s + 4 * r, in + 4 * r, 4 * sizeof(int));
    cg::wait(t);
    o[r] = s[4 * r] + 10ll * s[4 * r + 1] + 100ll * s[4 * r + 2] + 1000ll * s[4 * r + 3];
}

// Other directions are plain copies: shared to global, global to global, shared to shared.
__global__ void k_directions(const int *in, int *to_global, int *global_copy, i64 *o, int n) {
    __shared__ int a[256], b[256];
    auto g = cg::this_thread_block();
    cg::memcpy_async(g, a, in, n * sizeof(int));
    cg::wait(g);
    cg::memcpy_async(g, b, a, n * sizeof(int));
    cg::wait(g);
    cg::memcpy_async(g, to_global, b, n * sizeof(int));
    cg::memcpy_async(g, global_copy, in, n * sizeof(int));
    cg::wait(g);
    for (int i = (int)g.thread_rank(); i < n; i += (int)g.size()) o[i] = b[i];
}

// Unaligned byte ranges; the relative alignment of both ends is chosen by the caller.
__global__ void k_bytes(const char *in, int src_off, int dst_off, int n, i64 *o) {
    __shared__ __align__(16) char s[512];
    auto b = cg::this_thread_block();
    for (int i = (int)b.thread_rank(); i < 512; i += (int)b.size()) s[i] = 99;
    b.sync();
    cg::memcpy_async(b, s + dst_off, in + src_off, n);
    cg::wait(b);
    for (int i = (int)b.thread_rank(); i < 512; i += (int)b.size()) o[i] = s[i];
}

// Two stage software pipeline with wait_prior<1>.
template <int CHUNK>
__global__ void k_pipeline(const int *in, int n, i64 *o) {
    __shared__ __align__(16) int s[2][CHUNK];
    auto b = cg::this_thread_block();
    int chunks = (n + CHUNK - 1) / CHUNK;
    i64 acc = 0;
    cg::memcpy_async(b, s[0], CHUNK, in, n);
    for (int c = 0; c < chunks; c++) {
        if (c + 1 < chunks) {
            int at = (c + 1) * CHUNK;
            cg::memcpy_async(b, s[(c + 1) & 1], CHUNK, in + at, n - at);
            cg::wait_prior<1>(b);
        } else {
            cg::wait(b);
        }
        int len = min(CHUNK, n - c * CHUNK);
        for (int i = (int)b.thread_rank(); i < len; i += (int)b.size()) acc = acc * 3 + s[c & 1][len - 1 - i];
        b.sync();
    }
    o[b.thread_rank()] = acc;
}

// Four copies in flight, consumed one by one with wait_prior<3..0>.
__global__ void k_prior(const int *in, i64 *o) {
    __shared__ __align__(16) int s[4][64];
    auto b = cg::this_thread_block();
    for (int k = 0; k < 4; k++) cg::memcpy_async(b, s[k], in + 64 * k, cuda::aligned_size_t<16>(64 * sizeof(int)));
    unsigned r = b.thread_rank();
    i64 acc = 0;
    cg::wait_prior<3>(b);
    acc = acc * 10 + s[0][(r + 1) % 64] % 10;
    cg::wait_prior<2>(b);
    acc = acc * 10 + s[1][(r + 1) % 64] % 10;
    cg::wait_prior<1>(b);
    acc = acc * 10 + s[2][(r + 1) % 64] % 10;
    cg::wait_prior<0>(b);
    acc = acc * 10 + s[3][(r + 1) % 64] % 10;
    o[r] = acc;
}

template <typename T>
std::vector<T> host(int n) {
    std::vector<T> v(n);
    for (int i = 0; i < n; i++) v[i] = val<T>(i);
    return v;
}
template <typename T>
void block(const char *type) {
    for (int n : {1, 16, 100, 333}) {
        for (int which = 0; which < 4; which++) {
            Dev<T> d(n);
            d.put(host<T>(n));
            Dev<i64> o(n, 0xff);
            k_block<T><<<1, 64, (n + 8) * sizeof(T)>>>(d.p, n, which, o.p);
            SYNC();
            if (n == 100 || which == 0) emit(std::string("memcpy_async/block/") + type + "/" + num(n) + "_" + num(which), o.get64());
        }
    }
}
template <unsigned N, typename T>
void tile(const char *type, unsigned bs) {
    for (int per : {4, 12, 40}) {
        int groups = (int)(bs / N), n = per * groups;
        Dev<T> d(n);
        d.put(host<T>(n));
        for (int which : {0, 1}) {
            Dev<i64> o(n, 0xff);
            k_tile<N, T><<<1, bs, (n + 8) * sizeof(T)>>>(d.p, per, which, o.p);
            SYNC();
            emit("memcpy_async/tile/N" + num(N) + "/" + type + "/" + num(per) + "_" + num(which), o.get64());
        }
    }
}

static void groups() {
    block<int>("int");
    block<char>("char");
    block<short>("short");
    block<double>("double");
    block<float4>("float4");
    block<Odd>("odd12");
    tile<32, int>("int", 128);
    tile<16, double>("double", 64);
    tile<8, int>("int", 40);
    tile<1, int>("int", 8);
    tile<64, float>("float", 128);
    tile<256, int>("int", 512);
    tile<4, float4>("float4", 32);
    for (int which : {0, 1, 2}) {
        int per = 20, n = per * 6;
        Dev<int> d(n);
        d.put(host<int>(n));
        Dev<i64> o(n, 0xff);
        k_coalesced<int><<<1, 64, (n + 8) * sizeof(int)>>>(d.p, per, which, o.p);
        SYNC();
        emit("memcpy_async/coalesced/" + num(which), o.get64());
    }
    {
        Dev<int> d(256);
        d.put(host<int>(256));
        Dev<i64> o(64, 0xff);
        k_this_thread<<<1, 64>>>(d.p, o.p);
        SYNC();
        emit("memcpy_async/this_thread", o.get64());
        Dev<i64> p(64, 0xff);
        k_prior<<<1, 64>>>(d.p, p.p);
        SYNC();
        emit("memcpy_async/prior", p.get64());
    }
}

static void directions() {
    {
        int n = 200;
        Dev<int> d(n), x(n), y(n);
        d.put(host<int>(n));
        Dev<i64> o(n, 0xff);
        k_directions<<<1, 96>>>(d.p, x.p, y.p, o.p, n);
        SYNC();
        emit("memcpy_async/directions/shared_shared", o.get64());
        emit("memcpy_async/directions/shared_global", x.get64());
        emit("memcpy_async/directions/global_global", y.get64());
    }
    {
        Dev<char> d(1024);
        d.put(host<char>(1024));
        const int offs[][3] = {{0, 0, 0},   {0, 0, 1},   {0, 0, 15},   {0, 0, 16},  {0, 0, 257}, {3, 3, 100},  {5, 5, 7},    {1, 0, 50},
                               {0, 3, 33},  {4, 0, 129}, {8, 0, 200},  {12, 4, 77}, {2, 2, 63},  {15, 15, 40}, {0, 2, 40},   {6, 4, 38},
                               {7, 16, 90}, {16, 7, 91}, {1, 17, 128}, {9, 1, 64},  {13, 5, 99}};
        for (auto &t : offs) {
            Dev<i64> o(512, 0xff);
            k_bytes<<<1, 64>>>(d.p, t[0], t[1], t[2], o.p);
            SYNC();
            std::vector<i64> v = o.get64();
            for (int i = 0; i < 512; i++) {
                i64 want = i >= t[1] && i < t[1] + t[2] ? (i64)val<char>(i - t[1] + t[0]) : 99;
                require(v[i] == want, "byte copy");
            }
            emit("memcpy_async/bytes/" + num(t[0]) + "_" + num(t[1]) + "_" + num(t[2]), v);
        }
    }
    for (int n : {64, 100, 1000}) {
        Dev<int> d(n);
        d.put(host<int>(n));
        Dev<i64> o(32, 0xff), p(100, 0xff);
        k_pipeline<64><<<1, 32>>>(d.p, n, o.p);
        SYNC();
        emit("memcpy_async/pipeline/64/" + num(n), o.get64());
        k_pipeline<128><<<1, 100>>>(d.p, n, p.p);
        SYNC();
        emit("memcpy_async/pipeline/128/" + num(n), p.get64());
    }
}

int main() {
    groups();
    directions();
    return finish();
}
