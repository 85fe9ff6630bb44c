// SPDX-License-Identifier: Apache-2.0
// Without the assembly compilers would take out calls of a function that does nothing.
#include "step/state.hpp"

#include "base/arch/processor.hpp"

extern "C" __attribute__((visibility("default"), noinline)) void warpfiber::step::warpfiber_step_stop(
    const StepState* state) {
  warpfiber::base::use(state);
}
