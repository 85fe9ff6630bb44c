// SPDX-License-Identifier: Apache-2.0
// A call whose caller is, for unwinders, a fiber that waits.
#pragma once

namespace warpfiber::base {

/// Calls `function` with `data`, and says of its caller that it is the code in which `fiber` goes on: stack pointer,
/// return address and frame pointer are those that the switch has kept (offsets 0, 8 and 16). It needs no other
/// register.
/// Of the fiber switch for x86-64 only.
extern "C" void warpfiber_call_below(const void* fiber, void (*function)(void*), void* data);

}  // namespace warpfiber::base
