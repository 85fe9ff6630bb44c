// SPDX-License-Identifier: Apache-2.0
// shfl / shfl_up / shfl_down / shfl_xor of tiles and coalesced groups for many element types.
#include "cgtest.h"

template <typename T>
__host__ __device__ inline T make(unsigned s) {
    return (T)s;
}
struct P3 {
    char c[3];
};
struct P12 {
    int a, b, c;
};
struct P16 {
    long long a;
    float b;
    short c;
};
struct alignas(8) P32 {
    double d[3];
    int i[2];
};
template <>
__host__ __device__ inline P3 make<P3>(unsigned s) {
    P3 p;
    for (int k = 0; k < 3; k++) p.c[k] = (char)(s + 3 * k);
    return p;
}
template <>
__host__ __device__ inline P12 make<P12>(unsigned s) {
    P12 p = {(int)s, (int)s * 2, (int)s * 3};
    return p;
}
template <>
__host__ __device__ inline P16 make<P16>(unsigned s) {
    P16 p;
    p.a = (long long)s * 5;
    p.b = s * 0.5f;
    p.c = (short)(s * 3);
    return p;
}
template <>
__host__ __device__ inline P32 make<P32>(unsigned s) {
    P32 p;
    for (int k = 0; k < 3; k++) p.d[k] = s * (k + 1) * 0.25;
    p.i[0] = (int)s;
    p.i[1] = -(int)s;
    return p;
}
template <>
__host__ __device__ inline int4 make<int4>(unsigned s) {
    return make_int4((int)s, (int)s + 1, (int)s + 2, (int)s + 3);
}
template <>
__host__ __device__ inline float2 make<float2>(unsigned s) {
    return make_float2(s * 0.5f, s * 2.0f);
}
template <typename T>
__device__ inline i64 digest(T v) {
    return (i64)(v * (T)4);
}
template <>
__device__ inline i64 digest<bool>(bool v) {
    return v;
}
template <>
__device__ inline i64 digest<P3>(P3 p) {
    return p.c[0] * 10000 + p.c[1] * 100 + p.c[2];
}
template <>
__device__ inline i64 digest<P12>(P12 p) {
    return p.a + 1000ll * p.b + 1000000ll * p.c;
}
template <>
__device__ inline i64 digest<P16>(P16 p) {
    return p.a + (i64)(p.b * 2) * 1000 + p.c * 1000000ll;
}
template <>
__device__ inline i64 digest<P32>(P32 p) {
    return (i64)(p.d[0] * 4) + (i64)(p.d[1] * 4) * 1000 + (i64)(p.d[2] * 4) * 1000000 + p.i[0] * 7 + p.i[1] * 3;
}
template <>
__device__ inline i64 digest<int4>(int4 v) {
    return v.x + 100ll * v.y + 10000ll * v.z + 1000000ll * v.w;
}
template <>
__device__ inline i64 digest<float2>(float2 v) {
    return (i64)(v.x * 2) * 1000 + (i64)v.y;
}

template <unsigned N, typename T>
__global__ void k_tile(i64 *o, unsigned n) {
    auto t = cg::tiled_partition<N>(cg::this_thread_block());
    unsigned r = t.thread_rank(), i = lin_gid();
    T v = make<T>(r + 1 + 3 * t.meta_group_rank());
    const T cv = v;
    o[0 * n + i] = digest<T>(t.shfl(v, 0));
    o[1 * n + i] = digest<T>(t.shfl(cv, (int)((r * 5 + 2) % N)));
    o[2 * n + i] = digest<T>(t.shfl_up(v, 1));
    o[3 * n + i] = digest<T>(t.shfl_up(cv, N / 2));
    o[4 * n + i] = digest<T>(t.shfl_down(v, 1));
    o[5 * n + i] = digest<T>(t.shfl_down(make<T>(r), N - 1));
    o[6 * n + i] = digest<T>(t.shfl_xor(v, 1 % N));
    o[7 * n + i] = digest<T>(t.shfl_xor(cv, N - 1));
}
static const std::vector<std::string> kTile = {"first", "gather", "up1", "up_half", "down1", "down_max", "xor1", "xor_max"};

template <unsigned N, typename T>
void tile(const char *type) {
    const unsigned n = 32;
    Dev<i64> d(8 * n, 0xff);
    k_tile<N, T><<<1, n>>>(d.p, n);
    SYNC();
    emit_fields("shuffle/N" + num(N) + "/" + type, kTile, d);
}

// Source rank beyond the tile wraps (modulo the tile size); a negative source rank is not used.
__global__ void k_wrap(i64 *o, unsigned n) {
    auto b = cg::this_thread_block();
    auto t8 = cg::tiled_partition<8>(b);
    auto t32 = cg::tiled_partition<32>(b);
    unsigned i = lin_gid();
    o[0 * n + i] = t8.shfl((int)i, 11);
    o[1 * n + i] = t32.shfl((int)i, 37);
    o[2 * n + i] = t8.shfl_up((int)i, 8);
    o[3 * n + i] = t8.shfl_down((int)i, 8);
    o[4 * n + i] = t8.shfl_up((int)i, 0) + 100 * t8.shfl_down((int)i, 0) + 10000 * t8.shfl_xor((int)i, 0);
}

template <typename T>
__global__ void k_coalesced(i64 *o, unsigned n, unsigned pattern) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned lane = w.thread_rank(), i = lin_gid();
    cg::coalesced_group g = cg::binary_partition(w, (pattern >> lane) & 1);
    unsigned r = g.thread_rank(), s = g.size();
    T v = make<T>(lane + 1);
    const T cv = v;
    o[0 * n + i] = digest<T>(g.shfl(v, 0));
    o[1 * n + i] = digest<T>(g.shfl(cv, (int)(s - 1 - r)));
    o[2 * n + i] = digest<T>(g.shfl_up(v, 1));
    o[3 * n + i] = digest<T>(g.shfl_up(cv, 5));
    o[4 * n + i] = digest<T>(g.shfl_down(v, 1));
    o[5 * n + i] = digest<T>(g.shfl_down(make<T>(lane), s / 2));
}
static const std::vector<std::string> kCoalesced = {"first", "reverse", "up1", "up5", "down1", "down_half"};

template <typename T>
void coalesced(const char *type) {
    for (unsigned pattern : {0xffffffffu, 0x0000000fu, 0x55555555u, 0xf00ff00fu, 0x80000000u}) {
        char name[80];
        snprintf(name, sizeof name, "shuffle/coalesced/%s/%08x", type, pattern);
        Dev<i64> d(6 * 32, 0xff);
        k_coalesced<T><<<1, 32>>>(d.p, 32, pattern);
        SYNC();
        emit_fields(name, kCoalesced, d);
    }
}

// Classic algorithms on shuffles.
template <unsigned N>
__global__ void k_algorithms(i64 *o, unsigned n) {
    auto t = cg::tiled_partition<N>(cg::this_thread_block());
    unsigned r = t.thread_rank(), i = lin_gid();
    int v = (int)(mix(i) % 1000);
    int sum = v;
    for (unsigned d = N / 2; d > 0; d /= 2) sum += t.shfl_xor(sum, d);
    int scan = v;
    for (unsigned d = 1; d < N; d *= 2) {
        int up = t.shfl_up(scan, d);
        if (r >= d) scan += up;
    }
    int x = v;  // bitonic sort within the tile
    for (unsigned k = 2; k <= N; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            int y = t.shfl_xor(x, j);
            bool up = (r & k) == 0, low = (r & j) == 0;
            x = (low == up) ? (x < y ? x : y) : (x > y ? x : y);
        }
    int mx = v;
    for (unsigned d = N / 2; d > 0; d /= 2) {
        int other = t.shfl_down(mx, d);
        if (other > mx) mx = other;
    }
    o[0 * n + i] = sum;
    o[1 * n + i] = scan;
    o[2 * n + i] = x;
    o[3 * n + i] = t.shfl(mx, 0);
}

template <unsigned N>
void algorithms() {
    Dev<i64> d(4 * 64, 0xff);
    k_algorithms<N><<<1, dim3(8, 8)>>>(d.p, 64);
    SYNC();
    emit_fields("shuffle/algorithms/N" + num(N), {"sum", "scan", "sort", "max"}, d);
}

int main() {
    tile<32, int>("int");
    tile<16, int>("int");
    tile<8, int>("int");
    tile<4, int>("int");
    tile<2, int>("int");
    tile<1, int>("int");
    tile<32, unsigned>("uint");
    tile<32, char>("char");
    tile<32, unsigned char>("uchar");
    tile<16, short>("short");
    tile<32, bool>("bool");
    tile<32, long>("long");
    tile<32, long long>("ll");
    tile<8, unsigned long long>("ull");
    tile<32, float>("float");
    tile<32, double>("double");
    tile<4, double>("double");
    tile<32, P3>("p3");
    tile<16, P12>("p12");
    tile<32, P16>("p16");
    tile<32, P32>("p32");
    tile<8, P32>("p32");
    tile<32, int4>("int4");
    tile<32, float2>("float2");
    {
        Dev<i64> d(5 * 32, 0xff);
        k_wrap<<<1, 32>>>(d.p, 32);
        SYNC();
        emit_fields("shuffle/wrap", {"t8_11", "t32_37", "up8", "down8", "zero"}, d);
    }
    coalesced<int>("int");
    coalesced<double>("double");
    coalesced<P12>("p12");
    coalesced<P32>("p32");
    algorithms<32>();
    algorithms<16>();
    algorithms<4>();
    return finish();
}
