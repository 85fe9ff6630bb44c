// SPDX-License-Identifier: Apache-2.0
//
// The few switches between threads that a failure needs, out of all those of a schedule that shows it (delta debugging:
// Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE TSE 28, 2002).
#pragma once

#include <functional>

#include "schedule/switches.hpp"

namespace warpfiber::tools::check {

/// Whether a schedule still fails in the same way. Costs a run of the program.
using StillFails = std::function<bool(const schedule::Switches&)>;

/// Fewer of `switches`, with which it still fails; `switches` themselves do. Asks at most `most_runs` times. None can
/// be left out of the answer, if there were runs enough.
schedule::Switches shrunk(schedule::Switches switches, unsigned most_runs, const StillFails& still_fails);

}  // namespace warpfiber::tools::check
