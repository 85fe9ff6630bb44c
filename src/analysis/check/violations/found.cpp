// SPDX-License-Identifier: Apache-2.0
// Without the assembly compilers would take out calls of a function that does nothing.
#include "base/arch/processor.hpp"
#include "base/system/held_ticks.hpp"
#include "check/violations/violations.hpp"

/// A debugger has its breakpoint here.
extern "C" __attribute__((visibility("default"), noinline)) void warpfiber_case_found(
    warpfiber::check::ViolationKind kind) {
  warpfiber::base::use(kind);
}

namespace warpfiber::check {

void announce_violation(ViolationKind kind) {
  const base::HeldTicks held;
  warpfiber_case_found(kind);
}

}  // namespace warpfiber::check
