// SPDX-License-Identifier: Apache-2.0
// What a tick sees of the thread that it has interrupted, and what it may look at. Linux on x86-64 (signals_linux.cpp).
#pragma once

#include <cstdint>

namespace warpfiber::engine {

struct TickSample {
  const void* instruction;
  const void* const* stack;
  const void* context;  // what the signal has kept of it
  bool stays;           // in code that a thread must not be made to wait in
};

/// A number for the interrupted thread's registers and all of its stack, which ends at `stack_high`.
std::uint64_t state_of(const TickSample& sample, const char* stack_high);

/// Calls read(data), which may read memory that another thread gives back meanwhile; false if it did. Within a tick.
bool read_guarded(void (*read)(void* data), void* data);

}  // namespace warpfiber::engine
