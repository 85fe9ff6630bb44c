// SPDX-License-Identifier: Apache-2.0
// labeled_partition: label types, parents (tiles of several sizes, coalesced groups), nesting.
#include "cgtest.h"

__device__ void describe(const cg::coalesced_group &g, i64 *o, unsigned n, unsigned i, int v) {
    o[0 * n + i] = g.size() * 100 + g.thread_rank();
    o[1 * n + i] = g.meta_group_rank() * 100 + g.meta_group_size();
    o[2 * n + i] = g.shfl(v, 0) * 1000ll + g.shfl(v, g.size() - 1);
    o[3 * n + i] = g.ballot(v & 1);
}
static const std::vector<std::string> kFields = {"size_rank", "meta", "ends", "ballot"};

template <unsigned N, typename L>
__global__ void k_tile(i64 *o, unsigned n, int kind) {
    auto t = cg::tiled_partition<N>(cg::this_thread_block());
    unsigned r = t.thread_rank(), i = lin_gid();
    L label;
    switch (kind) {
        case 0: label = (L)(r % 3); break;
        case 1: label = (L)(mix(i) & 3); break;
        case 2: label = (L)5; break;           // a single group
        case 3: label = (L)(31 - (int)r); break;  // all different
        case 4: label = (L)(r / 5 == 1 ? -1 : (int)(r & 1)); break;
        default: label = (L)((r * 2654435761u) >> 29); break;
    }
    cg::coalesced_group g = cg::labeled_partition(t, label);
    describe(g, o, n, i, (int)r);
}

template <unsigned N, typename L>
void tile(const char *type, std::initializer_list<int> kinds, unsigned block = 64) {
    for (int kind : kinds) {
        Dev<i64> d(4 * block, 0xff);
        k_tile<N, L><<<1, block>>>(d.p, block, kind);
        SYNC();
        emit_fields("labeled/N" + num(N) + "/" + type + "/" + num(kind), kFields, d);
    }
}

// 64 bit labels that differ only in the upper half.
__global__ void k_high(i64 *o, unsigned n) {
    auto t = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned r = t.thread_rank(), i = lin_gid();
    unsigned long long label = ((unsigned long long)(r % 4) << 40) | 7;
    describe(cg::labeled_partition(t, label), o, n, i, (int)r);
}

__global__ void k_pointer(i64 *o, unsigned n, int *a) {
    auto t = cg::tiled_partition<16>(cg::this_thread_block());
    unsigned r = t.thread_rank(), i = lin_gid();
    int *label = a + (r / 3) % 2;
    const int *clabel = a + r % 4;
    describe(cg::labeled_partition(t, label), o, n, i, (int)r);
    cg::coalesced_group g = cg::labeled_partition(t, clabel);
    o[4 * n + i] = g.size() * 10000 + g.thread_rank() * 100 + g.meta_group_rank();
}

// bool labels take the binary_partition path: the true group always has meta rank 1.
__global__ void k_bool(i64 *o, unsigned n, unsigned pattern) {
    auto t = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned r = t.thread_rank(), i = lin_gid();
    bool p = (pattern >> r) & 1;
    cg::coalesced_group a = cg::labeled_partition(t, p);
    cg::coalesced_group b = cg::labeled_partition(t, (int)p);
    o[0 * n + i] = a.size() * 100 + a.thread_rank();
    o[1 * n + i] = b.size() * 100 + b.thread_rank();
    o[2 * n + i] = a.meta_group_rank() * 10 + a.meta_group_size();
    o[3 * n + i] = b.meta_group_rank() * 10 + b.meta_group_size();
}

// labeled -> labeled -> binary, and labels on a parent handle without parent type.
__global__ void k_nested(i64 *o, unsigned n) {
    cg::thread_block_tile<32> t = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned r = t.thread_rank(), i = lin_gid();
    cg::coalesced_group a = cg::labeled_partition(t, r % 3);
    cg::coalesced_group b = cg::labeled_partition(a, (int)(a.thread_rank() / 4));
    cg::coalesced_group c = cg::binary_partition(b, r & 1);
    o[0 * n + i] = a.size() * 100 + a.thread_rank();
    o[1 * n + i] = b.size() * 100 + b.thread_rank();
    o[2 * n + i] = b.meta_group_rank() * 10 + b.meta_group_size();
    o[3 * n + i] = c.size() * 100 + c.thread_rank();
    o[4 * n + i] = c.meta_group_rank() * 10 + c.meta_group_size();
    a.sync();
    b.sync();
    c.sync();
    o[5 * n + i] = b.shfl((int)r, b.size() - 1) * 100 + c.shfl((int)r, 0);
}

// Group-by-key sum: per distinct key one leader adds the whole sum.
__global__ void k_group_by(const int *key, const int *val, int n, int *sums, int *leaders) {
    auto t = cg::tiled_partition<32>(cg::this_thread_block());
    int i = (int)lin_gid();
    int k = i < n ? key[i] : -1;
    int v = i < n ? val[i] : 0;
    cg::coalesced_group g = cg::labeled_partition(t, k);
    int total = 0;
    for (unsigned j = 0; j < g.size(); j++) total += g.shfl(v, (int)j);
    if (k >= 0 && g.thread_rank() == 0) {
        atomicAdd(&sums[k], total);
        atomicAdd(&leaders[k], 1);
    }
}

int main() {
    tile<32, int>("int", {0, 1, 2, 3, 4, 5});
    tile<32, unsigned>("uint", {0, 4});
    tile<32, char>("char", {0, 1, 4});
    tile<32, short>("short", {1, 4});
    tile<32, unsigned char>("uchar", {3, 4});
    tile<32, long long>("ll", {1, 4});
    tile<32, unsigned long long>("ull", {0, 4});
    tile<16, int>("int", {0, 1, 3, 5});
    tile<8, int>("int", {0, 1, 2, 4});
    tile<4, int>("int", {0, 1}, 36);
    tile<2, int>("int", {1, 3}, 10);
    tile<1, int>("int", {1}, 5);
    {
        Dev<i64> d(4 * 64, 0xff);
        k_high<<<1, 64>>>(d.p, 64);
        SYNC();
        emit_fields("labeled/high_bits", kFields, d);
    }
    {
        Dev<i64> d(5 * 48, 0xff);
        Dev<int> a(8);
        k_pointer<<<1, 48>>>(d.p, 48, a.p);
        SYNC();
        emit_fields("labeled/pointer", {"size_rank", "meta", "ends", "ballot", "const"}, d);
    }
    for (unsigned pattern : {0x0000000eu, 0x80000001u, 0xffffffffu, 0u, 0x5a5a00ffu}) {
        char name[64];
        snprintf(name, sizeof name, "labeled/bool/%08x", pattern);
        Dev<i64> d(4 * 32, 0xff);
        k_bool<<<1, 32>>>(d.p, 32, pattern);
        SYNC();
        emit_fields(name, {"bool", "int", "bool_meta", "int_meta"}, d);
    }
    {
        Dev<i64> d(6 * 64, 0xff);
        k_nested<<<1, dim3(8, 8)>>>(d.p, 64);
        SYNC();
        emit_fields("labeled/nested", {"a", "b", "b_meta", "c", "c_meta", "ends"}, d);
    }
    {
        int n = 1000, keys = 11;
        std::vector<int> key(n), val(n), want(keys, 0);
        for (int i = 0; i < n; i++) {
            key[i] = (int)(mix((unsigned)i) % 11);
            val[i] = (int)(mix((unsigned)i + 5000) % 100);
            want[key[i]] += val[i];
        }
        Dev<int> dk(n), dv(n), ds(keys), dl(keys);
        dk.put(key);
        dv.put(val);
        k_group_by<<<8, 128>>>(dk.p, dv.p, n, ds.p, dl.p);
        SYNC();
        std::vector<int> got = ds.get();
        for (int k = 0; k < keys; k++) require(got[k] == want[k], "group by sum");
        emit("labeled/group_by/sums", ds.get64());
        emit("labeled/group_by/leaders", dl.get64());
    }
    return finish();
}
