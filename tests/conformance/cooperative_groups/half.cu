// SPDX-License-Identifier: Apache-2.0
// Half precision with cooperative groups.  cuda_fp16.h has to come before cooperative_groups.h for
// __half to be treated as an arithmetic type.  All values are small integers, exact in 11 bits.
#include <cuda_fp16.h>
#include <cuda_bf16.h>

#include "cgtest.h"

#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

__device__ inline __half h(int v) { return __float2half((float)v); }
__device__ inline i64 i(__half v) { return (i64)__half2float(v); }
__device__ inline i64 i(__half2 v) { return i(__low2half(v)) * 10000 + i(__high2half(v)); }
__device__ inline i64 i(__nv_bfloat16 v) { return (i64)__bfloat162float(v); }

template <typename G>
__device__ void half_ops(const G &g, i64 *o, unsigned n, unsigned at) {
    int v = (int)(mix(at) % 16);
    __half x = h(v);
    o[0 * n + at] = i(g.shfl(x, 0));
    o[1 * n + at] = i(cg::reduce(g, x, cg::plus<__half>()));
    o[2 * n + at] = i(cg::reduce(g, x, cg::less<__half>()));
    o[3 * n + at] = i(cg::reduce(g, x, cg::greater<__half>()));
    o[4 * n + at] = i(cg::inclusive_scan(g, x, cg::plus<__half>()));
    o[5 * n + at] = i(cg::exclusive_scan(g, x, cg::plus<__half>()));
}
static const std::vector<std::string> kHalf = {"shfl", "plus", "less", "greater", "inc", "exc"};

template <typename G>
__device__ void half2_ops(const G &g, i64 *o, unsigned n, unsigned at) {
    int v = (int)(mix(at) % 16);
    __half2 x = __halves2half2(h(v), h(15 - v));
    o[0 * n + at] = i(g.shfl(x, (int)g.size() - 1));
    o[1 * n + at] = i(cg::reduce(g, x, cg::plus<__half2>()));
    o[2 * n + at] = i(cg::inclusive_scan(g, x, cg::plus<__half2>()));
    o[3 * n + at] = i(cg::reduce(g, x, [](__half2 a, __half2 b) -> __half2 { return __hmax2(a, b); }));
}
static const std::vector<std::string> kHalf2 = {"shfl", "plus", "inc", "hmax2"};

template <typename G>
__device__ void bf16_ops(const G &g, i64 *o, unsigned n, unsigned at) {
    int v = (int)(mix(at) % 4);
    __nv_bfloat16 x = __float2bfloat16((float)v);
    o[0 * n + at] = i(g.shfl(x, 0));
    o[1 * n + at] = i(cg::reduce(g, x, cg::plus<__nv_bfloat16>()));
    o[2 * n + at] = i(cg::reduce(g, x, cg::greater<__nv_bfloat16>()));
    o[3 * n + at] = i(cg::inclusive_scan(g, x, cg::plus<__nv_bfloat16>()));
}
static const std::vector<std::string> kBf16 = {"shfl", "plus", "greater", "inc"};

template <unsigned N>
__global__ void k_half(i64 *o, unsigned n) {
    half_ops(cg::tiled_partition<N>(cg::this_thread_block()), o, n, lin_gid());
}
template <unsigned N>
__global__ void k_half2(i64 *o, unsigned n) {
    half2_ops(cg::tiled_partition<N>(cg::this_thread_block()), o, n, lin_gid());
}
template <unsigned N>
__global__ void k_bf16(i64 *o, unsigned n) {
    bf16_ops(cg::tiled_partition<N>(cg::this_thread_block()), o, n, lin_gid());
}
__global__ void k_coalesced(i64 *o, i64 *p, i64 *q, unsigned n) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    cg::coalesced_group g = cg::binary_partition(w, w.thread_rank() % 3 == 1);
    half_ops(g, o, n, lin_gid());
    half2_ops(g, p, n, lin_gid());
    bf16_ops(g, q, n, lin_gid());
}
// Shuffles in all directions.
__global__ void k_shuffles(i64 *o, unsigned n) {
    auto t = cg::tiled_partition<16>(cg::this_thread_block());
    unsigned at = lin_gid();
    __half x = h((int)at);
    __half2 y = __halves2half2(h((int)at), h((int)at + 100));
    o[0 * n + at] = i(t.shfl_up(x, 2));
    o[1 * n + at] = i(t.shfl_down(x, 3));
    o[2 * n + at] = i(t.shfl_xor(x, 5));
    o[3 * n + at] = i(t.shfl_up(y, 1));
    o[4 * n + at] = i(t.shfl_xor(y, 15));
}

template <unsigned N>
void tile(unsigned n) {
    Dev<i64> a(6 * n, 0xff), b(4 * n, 0xff), c(4 * n, 0xff);
    k_half<N><<<1, n>>>(a.p, n);
    SYNC();
    emit_fields("half/N" + num(N), kHalf, a);
    k_half2<N><<<1, n>>>(b.p, n);
    SYNC();
    emit_fields("half2/N" + num(N), kHalf2, b);
    k_bf16<N><<<1, n>>>(c.p, n);
    SYNC();
    emit_fields("bf16/N" + num(N), kBf16, c);
}

int main() {
    tile<32>(64);
    tile<16>(32);
    tile<4>(32);
    tile<1>(8);
    tile<64>(64);
    {
        unsigned n = 32;
        Dev<i64> a(6 * n, 0xff), b(4 * n, 0xff), c(4 * n, 0xff), d(5 * n, 0xff);
        k_coalesced<<<1, n>>>(a.p, b.p, c.p, n);
        SYNC();
        emit_fields("half/coalesced", kHalf, a);
        emit_fields("half2/coalesced", kHalf2, b);
        emit_fields("bf16/coalesced", kBf16, c);
        k_shuffles<<<1, n>>>(d.p, n);
        SYNC();
        emit_fields("half/shuffles", {"up", "down", "xor", "half2_up", "half2_xor"}, d);
    }
    return finish();
}
