// SPDX-License-Identifier: Apache-2.0
// What handlers of signals find out about the thread that they have interrupted, and what they may look at. Linux on
// x86-64 (signals_linux.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

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

// What an instruction of x86-64 that moves a vector of 16 bytes accesses. The processor refuses an address that is no
// multiple of 16 with a fault that has no address. Pure.
struct VectorAccess {
  std::uint64_t address = 0;
  bool writes = false;
};

/// `code`: the instruction, of which up to 15 bytes are read. `registers`: by the numbers that instructions have for
/// them, rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15. Nothing where it is no such move to or from memory.
std::optional<VectorAccess> vector_access(const unsigned char* code, const std::array<std::uint64_t, 16>& registers);

}  // namespace warpfiber::engine
