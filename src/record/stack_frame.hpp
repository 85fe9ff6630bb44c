// SPDX-License-Identifier: Apache-2.0
// A place in the stack of a thread that waits, as debug information describes it.
#pragma once

#include <cstdint>

namespace warpfiber::record {

struct StackFrame {
  std::uintptr_t code =
      0;  // in the function that has the frame: the last byte of the call that it waits in; 0: unknown
  std::int64_t offset = 0;  // of the place, from the frame's canonical address: its caller's stack pointer
};

}  // namespace warpfiber::record
