// SPDX-License-Identifier: Apache-2.0
// The warp level intrinsics that cooperative groups are defined in terms of.
#include "cgtest.h"

#define FULL 0xffffffffu

__global__ void k_shfl(i64 *o, unsigned n) {
    unsigned i = lin_gid(), lane = i & 31;
    int v = (int)(lane * lane);
    o[0 * n + i] = __shfl_sync(FULL, v, 7);
    o[1 * n + i] = __shfl_sync(FULL, v, (int)((lane + 9) % 32));
    o[2 * n + i] = __shfl_sync(FULL, v, 3, 8);
    o[3 * n + i] = __shfl_up_sync(FULL, v, 3);
    o[4 * n + i] = __shfl_up_sync(FULL, v, 3, 16);
    o[5 * n + i] = __shfl_down_sync(FULL, v, 5);
    o[6 * n + i] = __shfl_down_sync(FULL, v, 5, 8);
    o[7 * n + i] = __shfl_xor_sync(FULL, v, 21);
    o[8 * n + i] = __shfl_xor_sync(FULL, v, 3, 4);
    o[9 * n + i] = __shfl_sync(FULL, (long long)v << 33, 30) >> 30;
    o[10 * n + i] = (i64)(__shfl_sync(FULL, v * 0.5, 11) * 2);
    o[11 * n + i] = (i64)(__shfl_xor_sync(FULL, v * 0.25f, 16) * 4);
    o[12 * n + i] = __shfl_sync(FULL, (unsigned)v, 40);  // modulo the width
    o[13 * n + i] = (i64)(__shfl_down_sync(FULL, (unsigned long long)lane << 40, 1) >> 38);
}

__global__ void k_partial(i64 *o, unsigned n) {
    unsigned i = lin_gid(), lane = i & 31;
    for (int k = 0; k < 5; k++) o[k * n + i] = -1;
    // two halves of the warp use different masks in different branches
    if (lane < 12) {
        unsigned m = 0x00000fffu;
        o[0 * n + i] = __shfl_sync(m, (int)lane * 2, (int)((lane + 1) % 12));
        o[1 * n + i] = __ballot_sync(m, lane % 3 == 0);
        o[2 * n + i] = (__any_sync(m, lane == 11) != 0) * 2 + (__all_sync(m, lane < 12) != 0);
        o[3 * n + i] = __reduce_add_sync(m, lane);
        __syncwarp(m);
        o[4 * n + i] = __match_any_sync(m, lane / 5);
    } else {
        unsigned m = 0xfffff000u;
        o[0 * n + i] = __shfl_sync(m, (int)lane * 3, 31);
        o[1 * n + i] = __ballot_sync(m, lane & 1);
        o[2 * n + i] = (__any_sync(m, lane == 11) != 0) * 2 + (__all_sync(m, lane > 12) != 0);
        o[3 * n + i] = __reduce_add_sync(m, lane);
        __syncwarp(m);
        o[4 * n + i] = __match_any_sync(m, lane % 4);
    }
}

__global__ void k_vote_match(i64 *o, unsigned n) {
    unsigned i = lin_gid(), lane = i & 31;
    int p = -1;
    o[0 * n + i] = __ballot_sync(FULL, mix(i) & 1);
    o[1 * n + i] = (__any_sync(FULL, lane == 31) != 0) + 2 * (__any_sync(FULL, 0) != 0) + 4 * (__all_sync(FULL, 1) != 0) + 8 * (__all_sync(FULL, (int)lane) != 0);
    o[2 * n + i] = __match_any_sync(FULL, lane % 5);
    o[3 * n + i] = __match_any_sync(FULL, (unsigned long long)(lane % 7) << 36);
    unsigned m = __match_all_sync(FULL, 9, &p);
    o[4 * n + i] = (i64)m * 10 + (p != 0);
    m = __match_all_sync(FULL, lane / 31, &p);
    o[5 * n + i] = (i64)m * 10 + (p != 0);
    o[6 * n + i] = __match_any_sync(FULL, (float)(lane / 16));
}

__global__ void k_reduce(i64 *o, unsigned n) {
    unsigned i = lin_gid();
    unsigned u = mix(i);
    int s = (int)mix(i + 1000);
    o[0 * n + i] = __reduce_add_sync(FULL, u);
    o[1 * n + i] = __reduce_add_sync(FULL, s);
    o[2 * n + i] = __reduce_min_sync(FULL, u);
    o[3 * n + i] = __reduce_min_sync(FULL, s);
    o[4 * n + i] = __reduce_max_sync(FULL, u);
    o[5 * n + i] = __reduce_max_sync(FULL, s);
    o[6 * n + i] = __reduce_and_sync(FULL, u | 0x00ff00f0u);
    o[7 * n + i] = __reduce_or_sync(FULL, u & 0x00ff0ff0u & (1u << (i & 31)));
    o[8 * n + i] = __reduce_xor_sync(FULL, u);
}

__global__ void k_bits(i64 *o, unsigned n) {
    unsigned i = lin_gid();
    unsigned u = mix(i) >> (i % 32);
    unsigned long long w = ((unsigned long long)mix(i + 3) << 32 | mix(i + 4)) >> (i % 64);
    o[0 * n + i] = __popc(u) * 100 + __popcll(w);
    o[1 * n + i] = __ffs((int)u) * 100 + __ffsll((long long)w);
    o[2 * n + i] = __clz((int)u) * 100 + __clzll((long long)w);
    o[3 * n + i] = __brev(u);
    o[4 * n + i] = (i64)(int)__fns(u, 0, 3) * 1000 + (int)__fns(u, i % 32, 1);
    o[5 * n + i] = (i64)(int)__fns(u, i % 32, -2) * 1000 + (int)__fns(u, 5, 0);
}

// Several warps, partial last warp: __activemask() at the top of a kernel, __syncwarp exchanges.
__global__ void k_syncwarp(i64 *o, unsigned n) {
    __shared__ int s[128];
    unsigned i = lin_gid(), t = lin_tid(), lane = t & 31, w = t / 32;
    unsigned members = blockDim.x - w * 32 >= 32 ? FULL : (1u << (blockDim.x - w * 32)) - 1;
    o[0 * n + i] = __activemask() == members;
    unsigned cnt = __popc(members);
    int acc = 0;
    for (int k = 0; k < 5; k++) {
        s[t] = (int)(t * (k + 2));
        __syncwarp(members);
        acc += s[w * 32 + (lane + 1) % cnt];
        __syncwarp(members);
    }
    o[1 * n + i] = acc;
}

__global__ void k_block_vote(i64 *o, unsigned n) {
    unsigned i = lin_gid(), t = lin_tid();
    o[0 * n + i] = __syncthreads_count(t % 3 == 0);
    o[1 * n + i] = (__syncthreads_and(t < blockDim.x) != 0) + 2 * (__syncthreads_and(t != 40) != 0);
    o[2 * n + i] = (__syncthreads_or(t == 40) != 0) + 2 * (__syncthreads_or(0) != 0);
}

int main() {
    const unsigned n = 64;
    {
        Dev<i64> d(14 * n, 0xff);
        k_shfl<<<1, n>>>(d.p, n);
        SYNC();
        emit_fields("warp/shfl", {"bcast7", "rotate", "w8", "up3", "up3_w16", "down5", "down5_w8", "xor21", "xor3_w4", "ll",
                                  "double", "float", "modulo", "ull"}, d);
    }
    {
        Dev<i64> d(5 * n, 0xff);
        k_partial<<<1, n>>>(d.p, n);
        SYNC();
        emit_fields("warp/partial", {"shfl", "ballot", "any_all", "reduce", "match"}, d);
    }
    {
        Dev<i64> d(7 * n, 0xff);
        k_vote_match<<<1, n>>>(d.p, n);
        SYNC();
        emit_fields("warp/vote_match", {"ballot", "any_all", "match", "match_ll", "all_same", "all_diff", "match_float"}, d);
    }
    {
        Dev<i64> d(9 * n, 0xff);
        k_reduce<<<2, n / 2>>>(d.p, n);
        SYNC();
        emit_fields("warp/reduce", {"add_u", "add_s", "min_u", "min_s", "max_u", "max_s", "and", "or", "xor"}, d);
    }
    {
        Dev<i64> d(6 * n, 0xff);
        k_bits<<<1, n>>>(d.p, n);
        SYNC();
        emit_fields("warp/bits", {"popc", "ffs", "clz", "brev", "fns_up", "fns_down"}, d);
    }
    for (unsigned bs : {32u, 50u, 96u, 3u}) {
        Dev<i64> d(2 * bs, 0xff);
        k_syncwarp<<<1, bs>>>(d.p, bs);
        SYNC();
        emit_fields("warp/syncwarp/" + num(bs), {"activemask_ok", "exchange"}, d);
    }
    for (unsigned bs : {32u, 45u, 128u}) {
        Dev<i64> d(3 * bs, 0xff);
        k_block_vote<<<1, bs>>>(d.p, bs);
        SYNC();
        emit_fields("warp/block_vote/" + num(bs), {"count", "and", "or"}, d);
    }
    return finish();
}
