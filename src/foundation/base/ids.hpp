// SPDX-License-Identifier: Apache-2.0
//
// How the threads of a launch are numbered where only a number is needed: schedules, recordings, findings.
// Invariant: ids follow CUDA's order, blocks first, then threads, x fastest in both, and do not depend on what is
// resident or on how many workers run.
#pragma once

#include <cstdint>

namespace warpfiber::base {

/// A thread of a launch: linear block index * threads per block + linear thread index.
using FiberId = std::uint64_t;

/// No thread: before the first one has run, after the last has returned.
inline constexpr FiberId kNoFiber = ~FiberId{0};

constexpr FiberId fiber_id(std::uint64_t block, std::uint64_t thread, std::uint64_t threads_per_block) {
  return block * threads_per_block + thread;
}

constexpr std::uint64_t block_of(FiberId fiber, std::uint64_t threads_per_block) {
  return fiber / threads_per_block;
}

constexpr std::uint64_t thread_of(FiberId fiber, std::uint64_t threads_per_block) {
  return fiber % threads_per_block;
}

}  // namespace warpfiber::base
