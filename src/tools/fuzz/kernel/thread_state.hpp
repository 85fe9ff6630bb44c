// SPDX-License-Identifier: Apache-2.0
//
// A thread on its way through a program: its registers, the memory that it shares, and the hash of all that it has
// seen. Device code.
#pragma once

#include "tools/fuzz/kernel/values.hpp"

#if defined(__CUDACC__) && !defined(__WARPFIBER__)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <warpfiber/nvcc.hpp>
#else
#include <warpfiber/cooperative_groups.hpp>
#include <warpfiber/groups/reduce.hpp>
#include <warpfiber/groups/scan.hpp>
#include <warpfiber/warpfiber.hpp>
#endif

#define FUZZ_DEVICE __device__ inline
// One instantiation of a family of operations for each group, not one for each place that it is used from.
#define FUZZ_FAMILY __device__ __attribute__((noinline))

namespace warpfiber::tools::fuzz {

namespace cg = cooperative_groups;

/// A mistake that a build for tests makes on purpose.
enum class InjectedFault : std::uint8_t { none, shuffle, order, label };

/// What one thread saw at one node.
struct NodeEvent {
  std::uint64_t value;
  std::uint64_t node;
};

/// Global memory. One element for each thread of the grid, but of `sums` and `events`.
struct Memory {
  unsigned long long* posts;
  unsigned* words;
  std::uint64_t* hashes;
  unsigned long long* sums;  // a node: of what all threads saw there; null: they are not wanted
  NodeEvent* events;         // kMaxEvents a thread; null: they are not wanted
  unsigned* event_count;
  InjectedFault fault;
};

struct ThreadState {
  const Flat* program;
  Memory memory;
  unsigned long long* slots;  // shared, one a thread
  unsigned* narrow_slots;     // the same in 32 bits
  unsigned self;              // rank in the block
  unsigned thread;            // rank in the grid
  std::uint64_t registers[kRegisters];
  std::uint64_t hash;
  unsigned events;

  /// Takes note of what the thread saw at the node `index`.
  __device__ void note(unsigned index, std::uint64_t value) {
    hash = mix(hash + index, value);
    if (memory.sums != nullptr) {
      atomicAdd(memory.sums + index, (unsigned long long)mix(std::uint64_t(thread) * kMaxEvents + events, value));
    }
    if (memory.events != nullptr && events < kMaxEvents) memory.events[thread * kMaxEvents + events] = {value, index};
    ++events;
  }
  __device__ void put(unsigned index, unsigned to, std::uint64_t value) {
    note(index, value);
    registers[to] = mix(registers[to], value);
  }
  __device__ unsigned lane() const { return self % 32; }
};

#ifdef WARPFIBER_FUZZ_FAULTS
FUZZ_DEVICE bool has_fault(const ThreadState& state, InjectedFault fault) {
  return state.memory.fault == fault;
}
#else
FUZZ_DEVICE bool has_fault(const ThreadState&, InjectedFault) {
  return false;
}
#endif

}  // namespace warpfiber::tools::fuzz
