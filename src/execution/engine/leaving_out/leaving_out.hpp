// SPDX-License-Identifier: Apache-2.0
// An access that no device would do is left out, and its thread goes on: a load gives 0, and a store stores nothing.
// Who finds such an access, a hook before it or the processor at it, asks here. From a hook the thread's instructions
// run one by one, as copies that come back here, until the one that names the memory, which runs with memory of its own
// in that place. No signal takes part, and no other OS thread sees anything of it. Linux on x86-64; elsewhere nothing
// can be left out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "instrument/x86/instruction.hpp"

namespace warpfiber::engine {

/// Whether the running thread's next access can be left out; counts it then. `code`: near the access.
bool begin_leaving_out(const void* code);
/// The same of an access that a hook may judge as well, which counts it then.
bool can_leave_out(const void* code);
/// Whether the launch has left out as many accesses as it may.
bool has_left_out_most();

/// Where a thread goes on, with these registers, after the instruction at `code` that the processor has refused; null
/// where it cannot. `address`: what the instruction could not access.
const void* leave_out_refused(const std::uint8_t* code, instrument::x86::Registers& registers, const void* address);
/// What memory the instruction names; null where that is not known.
const void* operand_of(const std::uint8_t* code, const instrument::x86::Registers& registers);
/// What the instruction is a copy of, where it is one of those that run in place of others; else null.
const std::uint8_t* original_of_copy(const void* instruction);
/// Whether a hook has judged the access at `address` that was to be left out last.
bool was_judged(const void* address);

}  // namespace warpfiber::engine
