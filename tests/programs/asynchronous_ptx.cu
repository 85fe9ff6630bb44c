// SPDX-License-Identifier: Apache-2.0
//
// The asynchronous instructions of inline PTX as libraries write them: mbarriers with labels and branches around their
// waits, cp.async and cp.async.bulk that arrive there, addresses of other blocks of the cluster, orders of atomics.
#include <vector>

#include "common.h"

__device__ unsigned shared_address(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ void wait_for(unsigned barrier, unsigned parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@done bra over;\n"
                 "bra again;\n"
                 "over:\n"
                 "}" ::"r"(barrier), "r"(parity) : "memory");
}

// Each phase, thread 0 brings 256 bytes and the others arrive.
__global__ void in_bulk(const unsigned *in, unsigned *out, unsigned phases)
{
    __shared__ alignas(16) unsigned tile[64];
    __shared__ unsigned long long barrier;
    const unsigned at = shared_address(&barrier);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1; fence.proxy.async;" ::"r"(at), "r"(blockDim.x) : "memory");
    __syncthreads();
    for (unsigned phase = 0; phase < phases; ++phase) {
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                             shared_address(tile)),
                         "l"(in + 64 * phase), "r"(256u), "r"(at) : "memory");
            asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(256u) : "memory");
        } else {
            unsigned long long state;
            asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
        }
        wait_for(at, phase & 1);
        out[64 * phase + threadIdx.x] = tile[63 - threadIdx.x] + phase;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at) : "memory");
}

// Copies of single threads that arrive at the mbarrier, then a copy back to global memory.
__global__ void piecewise(const unsigned *in, unsigned *out)
{
    __shared__ alignas(16) unsigned tile[64];
    __shared__ unsigned long long barrier;
    const unsigned at = shared_address(&barrier);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(&tile[threadIdx.x])),
                 "l"(in + threadIdx.x) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at) : "memory");
    wait_for(at, 0);
    const unsigned value = tile[threadIdx.x ^ 1];
    __syncthreads();
    tile[threadIdx.x] = 2 * value;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(shared_address(tile)),
                     "r"(256u) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

// Each block of a cluster writes to the next one and arrives at that one's mbarrier.
__global__ void __cluster_dims__(4) in_cluster(unsigned *out)
{
    __shared__ unsigned slot;
    __shared__ unsigned long long barrier;
    const unsigned at = shared_address(&barrier);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(at) : "memory");
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        unsigned there, barrier_there, rank_there;
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(&slot)), "r"((rank + 1) % 4));
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier_there) : "r"(at), "r"((rank + 1) % 4));
        asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank_there) : "r"(there));
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(100 * rank + rank_there) : "memory");
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier_there) : "memory");
    }
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;"
                 " @!p bra again; }" ::"r"(at) : "memory");
    if (threadIdx.x == 0)
        out[blockIdx.x] = slot;
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

// A lock and a counter, whose orders are all that publishes the values between.
__global__ void ordered(unsigned *lock, unsigned *sum, unsigned *parts, unsigned *done, unsigned *total)
{
    unsigned before;
    do
        asm volatile("atom.cas.acquire.gpu.b32 %0, [%1], 0, 1;" : "=r"(before) : "l"(lock) : "memory");
    while (before != 0);
    *sum += blockIdx.x + 1;
    asm volatile("atom.exch.release.gpu.b32 %0, [%1], 0;" : "=r"(before) : "l"(lock) : "memory");

    parts[blockIdx.x] = blockIdx.x + 1;
    asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], 1;" : "=r"(before) : "l"(done) : "memory");
    if (before == gridDim.x - 1)
        for (unsigned i = 0; i < gridDim.x; ++i)
            *total += parts[i];
}

int main()
{
    const unsigned phases = 5;
    std::vector<unsigned> in, turned, doubled;
    for (unsigned i = 0; i < 64 * phases; ++i) {
        in.push_back(3 * i + 1);
        turned.push_back(3 * (i / 64 * 64 + 63 - i % 64) + 1 + i / 64);
        if (i < 64)
            doubled.push_back(2 * (3 * (i ^ 1) + 1));
    }
    const unsigned *from = device_copy(in);
    unsigned *out = device_zeros<unsigned>(64 * phases);
    in_bulk<<<1, 64>>>(from, out, phases);
    bool passed = same("bulk copies", host_copy(out, 64 * phases), turned);
    piecewise<<<1, 64>>>(from, out);
    passed = same("copies of threads", host_copy(out, 64), doubled) && passed;
    in_cluster<<<8, 32>>>(out);
    passed = same("clusters", host_copy(out, 8), {300, 1, 102, 203, 300, 1, 102, 203}) && passed;
    unsigned *words = device_zeros<unsigned>(64);
    ordered<<<16, 1>>>(words, words + 1, words + 8, words + 2, words + 3);
    passed = same("orders", host_copy(words, 4), {0, 136, 16, 136}) && passed;
    return verdict(passed);
}
