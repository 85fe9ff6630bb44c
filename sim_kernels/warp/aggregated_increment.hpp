// SPDX-License-Identifier: Apache-2.0
// Keeping the positive elements of an array: each keeper needs a slot of its own, and one lane fetches slots for all
// lanes of its warp by a single atomic. Two forms: the opportunistic one aggregates whichever lanes the device happens
// to run together, and is right whatever those are; the masked one agrees on the lanes by a vote before the branch, so
// it needs exactly one atomic a warp. Source: Y. Lin and V. Grover, "Using CUDA Warp-Level Primitives".
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

constexpr unsigned kWarp = 32;

/// Adds 1 to *counter for every lane of `lanes`, all of which make this call, and returns what the caller would have
/// got from an atomicAdd of its own. *atomics counts the atomics that were needed.
__device__ inline unsigned increment_together(unsigned* counter, unsigned lanes, unsigned* atomics) {
  const unsigned lane = threadIdx.x % kWarp;
  const int leader = __ffs(static_cast<int>(lanes)) - 1;
  unsigned first = 0;
  if (static_cast<int>(lane) == leader) {
    first = atomicAdd(counter, static_cast<unsigned>(__popc(lanes)));
    atomicAdd(atomics, 1U);
  }
  const unsigned below = lanes & ((1U << lane) - 1);
  return __shfl_sync(lanes, first, leader) + static_cast<unsigned>(__popc(below));
}

/// counters[0] counts kept elements, counters[1] atomics.
static __global__ void keep_opportunistic(const int* in, unsigned count, int* kept, unsigned* counters) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && in[i] > 0) {
    const unsigned together = __activemask();
    kept[increment_together(&counters[0], together, &counters[1])] = in[i];
  }
}

/// The same with the lanes named by the program.
static __global__ void keep_masked(const int* in, unsigned count, int* kept, unsigned* counters) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool keeps = i < count && in[i] > 0;
  const unsigned keepers = __ballot_sync(0xffffffffU, keeps);
  if (keeps) kept[increment_together(&counters[0], keepers, &counters[1])] = in[i];
}

}  // namespace gallery
