// SPDX-License-Identifier: Apache-2.0
// A place in the stack of a thread, as debug information describes it, and as it is known where the thread has ended.
#pragma once

#include <cstdint>

namespace warpfiber::record {

struct StackFrame {
  std::uintptr_t code =
      0;  // in the function that has the frame: the last byte of the call that it waits in; 0: unknown
  std::int64_t offset = 0;  // of the place, from the frame's canonical address: its caller's stack pointer
};

/// A place in a stack that no thread of the worker has now.
struct LeftStack {
  bool is_ended = true;                // the thread that had it last; else another worker runs that
  const void* runs_threads = nullptr;  // the function that called the kernel for the thread
  std::uint64_t depth = 0;             // in bytes below the top of the stack
};

}  // namespace warpfiber::record
