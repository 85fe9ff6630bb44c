// SPDX-License-Identifier: Apache-2.0
// How threads get from a hook to the access that is left out. What is here uses general registers only: the thread's
// other registers are in use (src/compiler/instrument/CMakeLists.txt). Linux on x86-64.
#pragma once

#include <warpfiber/detail/config.hpp>

#include <cstddef>
#include <cstdint>

#include "instrument/x86/code_area.hpp"
#include "instrument/x86/instruction.hpp"

namespace warpfiber::instrument::x86 {

/// What the thread has left behind on its stack when it comes here; it goes on with it at `target`.
struct StepFrame {
  Registers registers;
  const void* target;
};

/// The access that is being left out, of the calling OS thread.
struct Leaving {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  const std::uint8_t* next = nullptr;  // the instruction that has not run yet
  unsigned steps = 0;                  // that may still be made
  bool of_element = false;             // of a local array; its address is not known yet
  std::uint64_t index = 0;             // of the element
};
const Leaving& leaving();

/// A hook's last call, a jump: leaves out the access to `bytes` from `address` that follows in the code which has
/// called the hook, where `returns_to` is. current_thread.busy is set, and no longer when that code goes on. Where the
/// hook did not jump here, or no such access comes, the code just goes on. The OS thread has a CodeArea.
extern "C" void warpfiber_leave_out(const void* address, std::size_t bytes, const void* returns_to);

/// The same of the access to the element `index` of a local array, if no hook is called before it: accesses to
/// variables that no other thread can know of have none. Its operand identifies it: a place in the function's frame
/// with an index.
extern "C" void warpfiber_leave_out_element(std::uint64_t index, const void* returns_to);

/// What `rep movs` and `rep stos` do with the memory from `address` on left out; false for other instructions.
bool skip_strings(const MachineInstruction& of, Registers& registers, std::uintptr_t address, std::size_t bytes);

/// What this folder keeps for each OS thread. Read between any two instructions of a kernel, so that it is not made
/// when it is first used.
struct LeavingState {
  Leaving leaving{};
  CodeArea* area = nullptr;
  bool is_refused = false;  // memory for code
};
extern constinit thread_local LeavingState of_thread WARPFIBER_TLS_MODEL;

}  // namespace warpfiber::instrument::x86
