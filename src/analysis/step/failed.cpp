// SPDX-License-Identifier: Apache-2.0
// Without the assembly compilers would take out calls of a function that does nothing.
#include "step/failed.hpp"

#include "base/arch/processor.hpp"
#include "base/system/held_ticks.hpp"

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
