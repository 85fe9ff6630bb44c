// SPDX-License-Identifier: Apache-2.0
//
// Blocks of a cluster that send each other values which barriers count: stores and reductions one by one and in bulk,
// copies to several blocks at once, the cluster's barrier and special registers, all by cuda::ptx;
// and which memory an address is in.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <algorithm>

#include "common.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

constexpr unsigned kBlocks = 4;
constexpr unsigned kThreads = 64;

__device__ void make_barrier(uint64_t *barrier)
{
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(barrier, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
}

// One thread says how many bytes will come; all wait for them.
__device__ void expect(uint64_t *barrier, unsigned bytes)
{
    if (threadIdx.x == 0)
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier, bytes);
}
__device__ void await(uint64_t *barrier, unsigned phase)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, phase & 1)) {
    }
}

// Each block stores words, pairs and quadruples in the next one.
__global__ void __cluster_dims__(kBlocks, 1, 1) ring(int *out)
{
    __shared__ alignas(16) int words[kThreads], pairs[kThreads][2], quads[kThreads][4];
    __shared__ uint64_t barrier;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned next = (cluster.block_rank() + 1) % kBlocks, t = threadIdx.x;
    const int me = (int)(1000 * blockIdx.x + t);
    make_barrier(&barrier);
    uint64_t *there = cluster.map_shared_rank(&barrier, next);
    expect(&barrier, sizeof words + sizeof pairs + sizeof quads);
    ptx::st_async(cluster.map_shared_rank(words, next) + t, me, there);
    const int pair[2] = {me + 1, me + 2}, quad[4] = {me, -me, me + 7, me ^ 1};
    ptx::st_async(&cluster.map_shared_rank(&pairs[0], next)[t][0], pair, there);
    ptx::st_async(&cluster.map_shared_rank(&quads[0], next)[t][0], quad, there);
    await(&barrier, 0);
    out[blockIdx.x * kThreads + t] = words[t] + 3 * (pairs[t][0] + pairs[t][1]) + 5 * (quads[t][0] + quads[t][1] + quads[t][2]) + quads[t][3];
    cluster.sync();
}

bool check_ring()
{
    const unsigned blocks = 2 * kBlocks;
    std::vector<int> want(blocks * kThreads);
    for (unsigned b = 0; b < blocks; ++b)
        for (unsigned t = 0; t < kThreads; ++t) {
            const unsigned from = b / kBlocks * kBlocks + (b + kBlocks - 1) % kBlocks;
            const int x = (int)(1000 * from + t);
            want[b * kThreads + t] = x + 3 * (2 * x + 3) + 5 * (x + 7) + (x ^ 1);
        }
    int *out = device_zeros<int>(want.size());
    ring<<<blocks, kThreads>>>(out);
    CHECK(cudaGetLastError());
    const bool passed = same("ring", host_copy(out, want.size()), want);
    CHECK(cudaFree(out));
    return passed;
}

struct Tally {
    int sum, least;
    unsigned most, turns, left, all, some, odd;
    uint64_t wide;
};

// All blocks of a cluster reduce into the first of them.
__global__ void __cluster_dims__(kBlocks, 1, 1) tallies(Tally *out)
{
    __shared__ Tally tally;
    __shared__ uint64_t barrier;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned t = threadIdx.x, me = cluster.thread_rank();
    if (t == 0) tally = {5, 1000, 0, 0, 0, ~0u, 0, 0, 1};
    make_barrier(&barrier);
    Tally *there = cluster.map_shared_rank(&tally, 0);
    uint64_t *counts = cluster.map_shared_rank(&barrier, 0);
    if (cluster.block_rank() == 0) expect(&barrier, kBlocks * kThreads * 40);
    ptx::red_async(ptx::op_add, &there->sum, (int)me - 7, counts);
    ptx::red_async(ptx::op_min, &there->least, 50 - (int)me, counts);
    ptx::red_async(ptx::op_max, &there->most, me * 3, counts);
    ptx::red_async(ptx::op_inc, &there->turns, 99u, counts);
    ptx::red_async(ptx::op_dec, &there->left, 99u, counts);
    ptx::red_async(ptx::op_and_op, &there->all, ~(1u << me % 8), counts);
    ptx::red_async(ptx::op_or_op, &there->some, 1u << me % 20, counts);
    ptx::red_async(ptx::op_xor_op, &there->odd, me, counts);
    ptx::red_async(ptx::op_add, &there->wide, (uint64_t)me << 32, counts);
    if (cluster.block_rank() == 0) {
        await(&barrier, 0);
        if (t == 0) out[blockIdx.x / kBlocks] = tally;
    }
    cluster.sync();
}

bool check_tallies()
{
    const unsigned n = kBlocks * kThreads;
    Tally want = {5, 1000, 0, 0, 0, ~0u, 0, 0, 1};
    for (unsigned me = 0; me < n; ++me) {
        want.sum += (int)me - 7;
        want.least = std::min(want.least, 50 - (int)me);
        want.most = std::max(want.most, me * 3);
        want.turns = want.turns >= 99 ? 0 : want.turns + 1;
        want.left = want.left == 0 || want.left > 99 ? 99 : want.left - 1;
        want.all &= ~(1u << me % 8);
        want.some |= 1u << me % 20;
        want.odd ^= me;
        want.wide += (uint64_t)me << 32;
    }
    Tally *out = device_zeros<Tally>(2);
    tallies<<<2 * kBlocks, kThreads>>>(out);
    CHECK(cudaGetLastError());
    bool passed = true;
    for (const Tally &got : host_copy(out, 2)) {
        passed &= expect(got.sum == want.sum && got.least == want.least && got.most == want.most, "sum, least, most");
        passed &= expect(got.turns == want.turns && got.left == want.left, "turns");
        passed &= expect(got.all == want.all && got.some == want.some && got.odd == want.odd, "bits");
        passed &= expect(got.wide == want.wide, "64 bits");
    }
    CHECK(cudaFree(out));
    return passed;
}

// The first block hands a tile to all, each adds its own to its neighbour's in bulk, and all of it goes to memory.
__global__ void __cluster_dims__(kBlocks, 1, 1) bulk(const int *in, int *sums, uint64_t *most, float *reals)
{
    __shared__ alignas(128) int tile[kThreads], got[kThreads];
    __shared__ alignas(128) uint64_t wide[kThreads];
    __shared__ alignas(128) float real[kThreads];
    __shared__ uint64_t barrier;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned t = threadIdx.x, next = (cluster.block_rank() + 1) % kBlocks;
    got[t] = 100;
    wide[t] = (uint64_t)(blockIdx.x + 1) << t % 40;
    real[t] = 0.5f * t;
    make_barrier(&barrier);
    expect(&barrier, sizeof tile);
    if (cluster.block_rank() == 0 && t == 0)
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &barrier, (uint16_t)0xf);
    await(&barrier, 0);
    tile[t] += (int)blockIdx.x;
    ptx::fence_proxy_async(ptx::space_shared);
    cluster.sync();
    expect(&barrier, sizeof got);
    if (t == 0)
        ptx::cp_reduce_async_bulk(ptx::space_cluster, ptx::space_shared, ptx::op_add, cluster.map_shared_rank(got, next), tile,
                                  sizeof tile, cluster.map_shared_rank(&barrier, next));
    await(&barrier, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, sums, got, sizeof got);
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_max, most, wide, sizeof wide);
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, reals, real, sizeof real);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
    cluster.sync();
}

bool check_bulk()
{
    const int blocks = kBlocks;
    std::vector<int> in(kThreads), sums(kThreads);
    std::vector<uint64_t> most(kThreads);
    std::vector<float> reals(kThreads);
    for (int t = 0; t < (int)kThreads; ++t) {
        in[t] = t * t % 37;
        sums[t] = blocks * (100 + in[t]) + blocks * (blocks - 1) / 2;
        most[t] = (uint64_t)blocks << t % 40;
        reals[t] = blocks * 0.5f * t;
    }
    int *d_in = device_copy(in), *d_sums = device_zeros<int>(kThreads);
    uint64_t *d_most = device_zeros<uint64_t>(kThreads);
    float *d_reals = device_zeros<float>(kThreads);
    bulk<<<blocks, kThreads>>>(d_in, d_sums, d_most, d_reals);
    CHECK(cudaGetLastError());
    bool passed = same("bulk sums", host_copy(d_sums, kThreads), sums);
    passed &= same("bulk most", host_copy(d_most, kThreads), most);
    passed &= same("bulk reals", host_copy(d_reals, kThreads), reals);
    for (void *memory : {(void *)d_in, (void *)d_sums, (void *)d_most, (void *)d_reals}) CHECK(cudaFree(memory));
    return passed;
}

__constant__ int constant_word = 3;
__device__ int global_word;

// Which memory the word is in, and that of the same name in another block.
__device__ bool knows_places(const cg::cluster_group &cluster, int *shared_word)
{
    int local_word = 0;
    int *volatile local = &local_word;
    const int *there = cluster.map_shared_rank(shared_word, (int)cluster.block_rank() ^ 1);
    bool right = __isShared(shared_word) && __isCtaShared(shared_word) && __isClusterShared(shared_word) && !__isGlobal(shared_word);
    right &= !__isCtaShared(there) && __isClusterShared(there) && !__isGlobal(there) && !__isLocal(there);
    right &= __isConstant(&constant_word) && !__isGlobal(&constant_word) && !__isConstant(&global_word) && __isGlobal(&global_word);
    right &= __isLocal(local) && !__isGlobal(local) && !__isConstant(local);
    right &= __cvta_constant_to_generic(__cvta_generic_to_constant(&constant_word)) == &constant_word;
    return right && __cvta_local_to_generic(__cvta_generic_to_local(local)) == local;
}

// Registers say what the built-in variables and the groups say.
__global__ void __cluster_dims__(2, 2, 1) registers(int *wrong)
{
    __shared__ int place;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned t = cg::thread_block::thread_rank();
    bool same = ptx::get_sreg_tid_x() == threadIdx.x && ptx::get_sreg_tid_y() == threadIdx.y && ptx::get_sreg_tid_z() == 0;
    same &= ptx::get_sreg_ntid_x() == blockDim.x && ptx::get_sreg_ctaid_y() == blockIdx.y && ptx::get_sreg_nctaid_x() == gridDim.x;
    same &= ptx::get_sreg_laneid() == t % 32 && ptx::get_sreg_lanemask_eq() == 1u << t % 32;
    same &= (ptx::get_sreg_lanemask_le() ^ ptx::get_sreg_lanemask_gt()) == 0xffffffffu;
    same &= ptx::get_sreg_warpid() < ptx::get_sreg_nwarpid() && ptx::get_sreg_smid() < ptx::get_sreg_nsmid();
    same &= ptx::get_sreg_cluster_ctarank() == cluster.block_rank() && ptx::get_sreg_cluster_nctarank() == cluster.num_blocks();
    same &= ptx::get_sreg_cluster_ctaid_y() == cluster.block_index().y && ptx::get_sreg_cluster_nctaid_x() == 2;
    same &= ptx::get_sreg_clusterid_x() == cg::this_grid().cluster_index().x && ptx::get_sreg_nclusterid_y() == gridDim.y / 2;
    const unsigned other = 3 - cluster.block_rank();
    same &= ptx::getctarank(ptx::space_cluster, cluster.map_shared_rank(&place, other)) == other;
    if (!same || !knows_places(cluster, &place)) atomicAdd(wrong, 1);
    cluster.sync();
}

bool check_registers()
{
    int *wrong = device_zeros<int>(1);
    registers<<<dim3(4, 2), dim3(16, 6)>>>(wrong);
    CHECK(cudaGetLastError());
    const bool passed = same("registers", host_copy(wrong, 1), {0});
    CHECK(cudaFree(wrong));
    return passed;
}

int main()
{
    bool passed = check_ring();
    passed &= check_tallies();
    passed &= check_bulk();
    passed &= check_registers();
    return verdict(passed);
}
