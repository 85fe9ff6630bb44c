// SPDX-License-Identifier: Apache-2.0
// Where debuggers have their breakpoints. Without the assembly compilers would take out calls of a function that does
// nothing.
#include "base/arch/processor.hpp"
#include "base/system/held_ticks.hpp"
#include "step/state.hpp"

extern "C" __attribute__((visibility("default"), noinline)) void warpfiber::step::warpfiber_step_stop(
    const StepState* state) {
  warpfiber::base::use(state);
}

/// A debugger has its breakpoint here.
extern "C" __attribute__((visibility("default"), noinline)) void warpfiber_launch_failed(
    warpfiber::record::Verdict verdict) {
  warpfiber::base::use(verdict);
}

namespace warpfiber::step {

void announce_failure(record::Verdict verdict) {
  const base::HeldTicks held;
  warpfiber_launch_failed(verdict);
}

}  // namespace warpfiber::step
