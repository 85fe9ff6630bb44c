// SPDX-License-Identifier: Apache-2.0
// What every case of cases.txt begins with. WARPFIBER_CASE_GROUPS stands first in the kernel that check.py makes of it.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/std/functional>
#include <cuda_bf16.h>

#include <utility>

namespace cg = cooperative_groups;

struct Nine {
    int a[9];
};
struct NonTrivial {
    int a;
    __device__ NonTrivial() : a(0) {}
    __device__ NonTrivial(const NonTrivial &o) : a(o.a) {}
};
struct NoDefault {
    int a;
    __device__ NoDefault(int x) : a(x) {}
};
enum Plain { kA, kB };
template <typename T>
struct Odd {
    __device__ int operator()(int a, int b) const { return a + b; }
};
template <unsigned N>
__device__ int wants_void(const cg::thread_block_tile<N> &t) {
    return (int)t.size();
}

#define WARPFIBER_CASE_GROUPS                                \
    cg::thread_block block = cg::this_thread_block();        \
    cg::grid_group grid = cg::this_grid();                   \
    cg::cluster_group cluster = cg::this_cluster();          \
    cg::coalesced_group co = cg::coalesced_threads();        \
    auto t32 = cg::tiled_partition<32>(block);               \
    auto t64 = cg::tiled_partition<64>(block);               \
    cg::thread_group tg = block;                             \
    __shared__ int s[64];                                    \
    __shared__ cuda::atomic<int, cuda::thread_scope_block> at; \
    (void)grid, (void)cluster, (void)co, (void)t32, (void)t64, (void)tg, (void)s, (void)at
