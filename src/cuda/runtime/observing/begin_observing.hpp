// SPDX-License-Identifier: Apache-2.0
// What the environment has observed in launches: a profile, a trace, steps.
#pragma once

#include "runtime/observing/profiling.hpp"
#include "runtime/observing/stepping.hpp"
#include "runtime/observing/tracing.hpp"

namespace warpfiber::runtime {

/// Makes the observers that the environment asks for, once; they are among launch_observers() from then on.
inline void begin_observing() {
  begin_profile();
  begin_trace();
  begin_steps();
}

}  // namespace warpfiber::runtime
