// SPDX-License-Identifier: Apache-2.0
// binary_partition on tiles and on coalesced groups.
#include "cgtest.h"

__device__ void describe(const cg::coalesced_group &g, i64 *o, unsigned n, unsigned i, int v) {
    o[0 * n + i] = g.size() * 100 + g.thread_rank();
    o[1 * n + i] = g.meta_group_rank() * 10 + g.meta_group_size();
    o[2 * n + i] = g.shfl(v, 0) * 100 + g.shfl(v, g.size() - 1);
}
static const std::vector<std::string> kFields = {"size_rank", "meta", "ends"};

template <unsigned N>
__global__ void k_tile(i64 *o, unsigned n, unsigned pattern) {
    auto t = cg::tiled_partition<N>(cg::this_thread_block());
    unsigned r = t.thread_rank();
    describe(cg::binary_partition(t, (pattern >> r) & 1), o, n, lin_gid(), (int)r);
}

template <unsigned N>
void tile(unsigned block, std::initializer_list<unsigned> patterns) {
    for (unsigned p : patterns) {
        Dev<i64> d(3 * block, 0xff);
        k_tile<N><<<1, block>>>(d.p, block, p);
        SYNC();
        char name[64];
        snprintf(name, sizeof name, "binary/N%u/%08x", N, p);
        emit_fields(name, kFields, d);
    }
}

// Recursive halving by predicate: 32 -> groups by the bits of a value.
__global__ void k_recursive(i64 *o, unsigned n) {
    auto t = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned i = lin_gid();
    unsigned v = mix(i) & 15;
    cg::coalesced_group a = cg::binary_partition(t, v & 8);
    cg::coalesced_group b = cg::binary_partition(a, v & 4);
    cg::coalesced_group c = cg::binary_partition(b, v & 2);
    cg::coalesced_group d = cg::binary_partition(c, v & 1);
    o[0 * n + i] = a.size() * 100 + a.thread_rank();
    o[1 * n + i] = b.size() * 100 + b.thread_rank();
    o[2 * n + i] = c.size() * 100 + c.thread_rank();
    o[3 * n + i] = d.size() * 100 + d.thread_rank();
    o[4 * n + i] = a.meta_group_rank() * 1000 + b.meta_group_rank() * 100 + c.meta_group_rank() * 10 + d.meta_group_rank();
    o[5 * n + i] = a.meta_group_size() * 1000 + b.meta_group_size() * 100 + c.meta_group_size() * 10 + d.meta_group_size();
    o[6 * n + i] = d.all((int)((d.shfl(v, 0)) == v)) != 0;  // same value in the whole last group
}

// A parent of any handle type.
__global__ void k_parents(i64 *o, unsigned n) {
    auto b = cg::this_thread_block();
    auto t32 = cg::tiled_partition<32>(b);
    auto t8 = cg::tiled_partition<8>(t32);
    cg::thread_block_tile<8> v8 = t8;
    auto t1 = cg::tiled_partition<1>(b);
    unsigned i = lin_gid(), lane = t32.thread_rank();
    bool p = (lane * lane + lane / 8) % 3 == 1;
    cg::coalesced_group a = cg::binary_partition(t8, p);
    cg::coalesced_group c = cg::binary_partition(v8, p);
    cg::coalesced_group e = cg::binary_partition(t1, p);
    o[0 * n + i] = a.size() * 1000 + a.thread_rank() * 100 + a.meta_group_rank() * 10 + a.meta_group_size();
    o[1 * n + i] = c.size() * 1000 + c.thread_rank() * 100 + c.meta_group_rank() * 10 + c.meta_group_size();
    o[2 * n + i] = e.size() * 1000 + e.thread_rank() * 100 + e.meta_group_rank() * 10 + e.meta_group_size();
}

// Stable two way split of a warp's data with the ranks of the two groups.
__global__ void k_split(const int *in, int *out) {
    __shared__ int s[64];
    auto t = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned base = t.meta_group_rank() * 32;
    int v = in[lin_gid()];
    bool odd = v & 1;
    cg::coalesced_group g = cg::binary_partition(t, odd);
    unsigned evens = __popc(t.ballot(!odd));
    s[base + (odd ? evens : 0) + g.thread_rank()] = v;
    t.sync();
    out[lin_gid()] = s[base + t.thread_rank()];
}

int main() {
    tile<32>(64, {0u, 0xffffffffu, 1u, 0x80000000u, 0x55555555u, 0xffff0000u, 0x12345678u});
    tile<16>(48, {0u, 0xffffu, 0x00f0u, 0x5555u, 0x8001u});
    tile<8>(40, {0u, 0xffu, 0x81u, 0x36u});
    tile<4>(12, {0u, 0x6u, 0xfu});
    tile<2>(6, {0x1u, 0x2u, 0x3u});
    tile<1>(3, {0u, 1u});
    {
        Dev<i64> d(7 * 96, 0xff);
        k_recursive<<<3, 32>>>(d.p, 96);
        SYNC();
        emit_fields("binary/recursive", {"a", "b", "c", "d", "meta_rank", "meta_size", "same"}, d);
    }
    {
        Dev<i64> d(3 * 32, 0xff);
        k_parents<<<1, dim3(4, 8)>>>(d.p, 32);
        SYNC();
        emit_fields("binary/parents", {"tile8", "tile8_void", "tile1"}, d);
    }
    {
        std::vector<int> in(128);
        for (int i = 0; i < 128; i++) in[i] = (int)(mix((unsigned)i) % 1000);
        Dev<int> a(128), b(128);
        a.put(in);
        k_split<<<2, 64>>>(a.p, b.p);
        SYNC();
        emit("binary/split", b.get64());
    }
    return finish();
}
