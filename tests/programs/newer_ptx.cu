// SPDX-License-Identifier: Apache-2.0
//
// Inline PTX of newer devices that libraries execute: registers of clusters, state spaces, elections, masks of bits,
// accesses by shared::cta and shared::cluster, vectors of sums in memory, words of 128 bits.
#include <vector>

#include "common.h"

__constant__ unsigned constants[32];

__device__ unsigned spaces(const void *p)
{
    unsigned found[4];
    asm("{ .reg .pred p; isspacep.global p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(found[0]) : "l"(p));
    asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 2, 0, p; }" : "=r"(found[1]) : "l"(p));
    asm("{ .reg .pred p; isspacep.const p, %1; selp.u32 %0, 4, 0, p; }" : "=r"(found[2]) : "l"(p));
    asm("{ .reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 8, 0, p; }" : "=r"(found[3]) : "l"(p));
    return found[0] | found[1] | found[2] | found[3];
}

__global__ void __cluster_dims__(2) newer(unsigned *out)
{
    __shared__ unsigned word;
    unsigned *mine = out + 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(mine[0]));
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(mine[1]));
    asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(mine[2]));
    mine[3] = spaces(out) | spaces(&word) << 4 | spaces(constants) << 8;
    asm volatile("{ .reg .pred p; elect.sync _|p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(mine[4]) : "r"(~0u));
    asm("bmsk.clamp.b32 %0, %1, 4;" : "=r"(mine[5]) : "r"(threadIdx.x));
    const unsigned place = unsigned(__cvta_generic_to_shared(&word));
    if (threadIdx.x == 0)
        asm volatile("st.shared::cta.u32 [%0], %1;" ::"r"(place), "r"(7u) : "memory");
    __syncthreads();
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(place) : "memory");
    __syncthreads();
    asm volatile("ld.shared::cta.u32 %0, [%1];" : "=r"(mine[6]) : "r"(place) : "memory");
    asm volatile("fence.proxy.async; prefetch.global.L2 [%0];" ::"l"(out) : "memory");
    asm("add.u16x2 %0, %1, %2;" : "=r"(mine[7]) : "r"(0x0001ffffu), "r"(0x00020001u));
}

/// Sums of vectors in memory, a word of 128 bits, and lop3 with a predicate.
__global__ void vectors(float *sums, unsigned long long *words)
{
    asm volatile("red.global.v4.f32.add [%0], {%1, %2, %3, %4};" ::"l"(sums), "f"(1.0f), "f"(2.0f), "f"(3.0f), "f"(4.0f)
                 : "memory");
    float x, y;
    asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %3};" : "=f"(x), "=f"(y) : "l"(sums + 4), "f"(1.0f)
                 : "memory");
    if (x != y || x < 0 || x >= blockDim.x)
        atomicAdd(sums + 6, 1.0f);
    if (threadIdx.x == 0)
        asm volatile("{ .reg .b128 w; mov.b128 w, {%1, %2}; st.global.b128 [%0], w; }" ::"l"(words), "l"(1ull), "l"(2ull)
                     : "memory");
}

bool vectors_are_right()
{
    float *sums = device_zeros<float>(8);
    unsigned long long *words = device_zeros<unsigned long long>(2);
    vectors<<<1, 64>>>(sums, words);
    const bool right = same("sums of vectors", host_copy(sums, 8), {64, 128, 192, 256, 64, 64, 0, 0}) &&
                       same("a word of 128 bits", host_copy(words, 2), {1, 2});
    CHECK(cudaFree(sums));
    CHECK(cudaFree(words));
    return right;
}

int main()
{
    const unsigned blocks = 4, threads = 32;
    std::vector<unsigned> want;
    for (unsigned i = 0; i < blocks * threads; ++i) {
        const unsigned block = i / threads, t = i % threads;
        const unsigned long long ones = 0xfull << t;
        for (unsigned value : {block / 2, block % 2, 2u, 1u | 10u << 4 | 4u << 8, unsigned(t == 0), unsigned(ones),
                               7 + threads, 0x00030000u})
            want.push_back(value);
    }
    unsigned *out = device_zeros<unsigned>(8 * blocks * threads);
    newer<<<blocks, threads>>>(out);
    const bool passed = same("newer PTX", host_copy(out, 8 * blocks * threads), want);
    CHECK(cudaFree(out));
    return verdict(vectors_are_right() && passed);
}
