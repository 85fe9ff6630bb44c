// SPDX-License-Identifier: Apache-2.0
//
// How one operation of the host program (a kernel's launch, a copy, a fill, a host function, or the host's own accesses
// between two of its calls) is ordered among the others: by streams, events, synchronisation and the order of the
// program. Made by room runtime, read by checks of accesses that different operations make to the same memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpfiber::record {

/// A wait of a stream for an event that had not been recorded by then: it orders nothing.
struct VainWait {
  const void* returns_to = nullptr;  // the program's call; null: there was none
  std::uint64_t recorded_in = 0;     // the stream that the event was recorded in later; 0: in none so far

  /// Whether it was to order what the stream does later behind an operation of `stream`.
  bool was_for(std::uint64_t stream) const {
    return returns_to != nullptr && (recorded_in == 0 || recorded_in == stream);
  }
};

struct LaunchOrder {
  /// Counts operations in the order of the calls that asked for them, from 1, with gaps. 0: not known, and nothing may
  /// be said about its order.
  std::uint64_t number = 0;
  /// Earlier operations that nothing orders before this one, ascending.
  std::vector<std::uint64_t> unordered{};
  std::uint64_t stream = 0;          // cudaStreamGetId's number; 0: the host program itself
  const char* call = "";             // the function of CUDA's that the program called, or its kernel
  const void* returns_to = nullptr;  // the instruction of the program after the call; null: not known
  VainWait vain_wait{};              // the last of its stream
  /// The kernel before it in its stream, where that is to trigger its start (programmatic dependent launch): it is
  /// among the unordered, until a thread has waited for it. 0: none.
  std::uint64_t overlapped = 0;

  /// Whether nothing orders `other`, an operation that has touched memory already, before this one. An operation with a
  /// larger number that ran no later than this one cannot have waited for it.
  bool is_unordered_with(std::uint64_t other) const {
    if (number == 0 || other == 0 || other == number) return false;
    return other > number || std::binary_search(unordered.begin(), unordered.end(), other);
  }
};

}  // namespace warpfiber::record
