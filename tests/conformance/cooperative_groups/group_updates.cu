// SPDX-License-Identifier: Apache-2.0
// Collectives that write to an atomic or call a function in one thread; matches within groups; every operator.
#include "cgtest.h"

#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

// One word that the groups of a block update one after the other.
using Atomic = cuda::atomic<int, cuda::thread_scope_device>;

template <class Group>
__device__ void update(const Group &g, Atomic *words, i64 *o, unsigned n, unsigned i, int v) {
    o[0 * n + i] = cg::inclusive_scan_update(g, words[0], v, cg::plus<int>());
    g.sync();
    o[1 * n + i] = cg::exclusive_scan_update(g, words[1], v, cg::plus<int>());
    g.sync();
    cg::reduce_update_async(g, words[2], v, cg::plus<int>());
    cg::reduce_update_async(g, words[3], v, cg::less<int>());
    cg::reduce_update_async(g, words[4], v, cg::greater<int>());
    cg::reduce_update_async(g, words[5], v, cg::bit_xor<int>());
    cg::reduce_store_async(g, words[6], v, cg::bit_or<int>());
    cg::reduce_store_async(g, words[7], v, cg::bit_and<int>());
    g.sync();
    for (unsigned k = 0; k < 8; ++k) o[(2 + k) * n + i] = words[k].load();
}

template <unsigned N>
__global__ void k_tile(i64 *o, unsigned n) {
    __shared__ Atomic words[64 / N][8];
    auto t = cg::tiled_partition<N>(cg::this_thread_block());
    unsigned i = lin_gid();
    if (t.thread_rank() == 0)
        for (unsigned k = 0; k < 8; ++k) words[t.meta_group_rank()][k].store(1000 * int(k));
    t.sync();
    update(t, words[t.meta_group_rank()], o, n, i, int(mix(i) % 200) - 100);
}

__global__ void k_coalesced(i64 *o, unsigned n, unsigned pattern) {
    __shared__ Atomic words[2][8];
    unsigned i = lin_gid();
    if (i < 16) words[i / 8][i % 8].store(1000 * int(i % 8));
    __syncthreads();
    auto part = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), (pattern >> (i % 32)) & 1);
    if (i < 32) update(part, words[part.meta_group_rank()], o, n, i, int(mix(i) % 200) - 100);
}

static const std::vector<std::string> kUpdates = {"inclusive", "exclusive", "w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7"};

// Which thread calls is the implementation's choice: every member sees the same one, and it is called once.
template <class Group>
__device__ void invoke(const Group &g, int *calls, i64 *o, unsigned n, unsigned i) {
    cg::invoke_one(g, [=] { atomicAdd(calls, 1); });
    g.sync();
    o[0 * n + i] = *calls;
    g.sync();
    int rank = cg::invoke_one_broadcast(g, [=] {
        atomicAdd(calls, 10);
        return int(g.thread_rank());
    });
    g.sync();
    o[1 * n + i] = *calls;
    o[2 * n + i] = rank >= 0 && rank < int(g.size());
    o[3 * n + i] = g.shfl(rank, 0) == rank;
    o[4 * n + i] = cg::invoke_one_broadcast(g, [](int a, int b) { return 7 * a + b; }, 5, 3);
}

template <unsigned N>
__global__ void k_invoke(i64 *o, unsigned n) {
    __shared__ int calls[64];
    unsigned i = lin_gid();
    calls[i] = 0;
    __syncthreads();
    auto t = cg::tiled_partition<N>(cg::this_thread_block());
    invoke(t, &calls[t.meta_group_rank()], o, n, i);
}

__global__ void k_invoke_coalesced(i64 *o, unsigned n, unsigned pattern) {
    __shared__ int calls[4];
    unsigned i = lin_gid();
    if (i < 4) calls[i] = 0;
    __syncthreads();
    auto part = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), (pattern >> (i % 32)) & 1);
    invoke(part, &calls[2 * (i / 32) + part.meta_group_rank()], o, n, i);
}

__global__ void k_invoke_block(i64 *o, unsigned n) {
    __shared__ int calls;
    unsigned i = lin_gid();
    if (i == 0) calls = 0;
    __syncthreads();
    auto b = cg::this_thread_block();
    cg::invoke_one(b, [&] { atomicAdd(&calls, 1); });
    b.sync();
    o[i] = calls;
}

static const std::vector<std::string> kInvoke = {"called", "called_again", "is_rank", "same", "arguments"};

template <class Group>
__device__ void match(const Group &g, i64 *o, unsigned n, unsigned i) {
    int all = 7;
    o[0 * n + i] = g.match_any(int(mix(i) % 3));
    o[1 * n + i] = g.match_any(0.5f * float(mix(i) % 2));
    o[2 * n + i] = g.match_any((unsigned long long)(mix(i) % 4) << 40);
    o[3 * n + i] = g.match_all(5, all);
    o[4 * n + i] = all;
    o[5 * n + i] = g.match_all(int(mix(i) % 2), all);
    o[6 * n + i] = all;
    o[7 * n + i] = g.ballot(mix(i) & 1);
}

template <unsigned N>
__global__ void k_match(i64 *o, unsigned n) {
    match(cg::tiled_partition<N>(cg::this_thread_block()), o, n, lin_gid());
}

__global__ void k_match_coalesced(i64 *o, unsigned n, unsigned pattern) {
    unsigned i = lin_gid();
    match(cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), (pattern >> (i % 32)) & 1), o, n, i);
}

static const std::vector<std::string> kMatch = {"any_int", "any_float", "any_64", "all_same", "pred", "all", "pred2", "ballot"};

template <class Kernel, class... Arguments>
void run(const char *name, const std::vector<std::string> &fields, unsigned block, Kernel kernel, Arguments... arguments) {
    Dev<i64> d(fields.size() * block, 0xff);
    kernel<<<1, block>>>(d.p, block, arguments...);
    SYNC();
    emit_fields(name, fields, d);
}

template <unsigned N>
void tiles() {
    char name[64];
    snprintf(name, sizeof name, "update/N%u", N);
    run(name, kUpdates, 64, k_tile<N>);
    snprintf(name, sizeof name, "invoke/N%u", N);
    run(name, kInvoke, 64, k_invoke<N>);
    snprintf(name, sizeof name, "match/N%u", N);
    run(name, kMatch, 64, k_match<N>);
}

int main() {
    tiles<1>();
    tiles<2>();
    tiles<4>();
    tiles<8>();
    tiles<16>();
    tiles<32>();
    for (unsigned pattern : {0x00ff00ffu, 0x12345678u, 0x80000001u, 0x7fffffffu}) {
        char name[64];
        snprintf(name, sizeof name, "update/%08x", pattern);
        run(name, kUpdates, 32, k_coalesced, pattern);
        snprintf(name, sizeof name, "invoke/%08x", pattern);
        run(name, kInvoke, 64, k_invoke_coalesced, pattern);
        snprintf(name, sizeof name, "match/%08x", pattern);
        run(name, kMatch, 64, k_match_coalesced, pattern);
    }
    run("invoke/block", {"called"}, 96, k_invoke_block);
    return finish();
}
