// SPDX-License-Identifier: Apache-2.0
// The steps belong to the process. A process without them pays one load and one test a launch.
#include "runtime/observing/stepping.hpp"

#include <optional>

#include "process/findings/findings_log.hpp"
#include "process/settings/observing.hpp"
#include "runtime/observing/observers.hpp"
#include "runtime/state/runtime_state.hpp"
#include "step/observer.hpp"

namespace warpfiber::runtime {

struct ProcessSteps {
  ProcessSteps() {
    if (!process::observe_settings().step.has_value()) return;
    process::open_findings_log();  // whose end is the last stop
    stepper.emplace(*process::observe_settings().step);
    add_launch_observer(factory.emplace(*stepper));
  }

  std::optional<step::Stepper> stepper;
  std::optional<step::StepFactory> factory;
};

void begin_steps() {
  RuntimeState::of_process().steps.get();
}

void end_steps() {
  ProcessSteps& made = RuntimeState::of_process().steps.get();
  if (made.stepper.has_value()) made.stepper->end();
}

}  // namespace warpfiber::runtime
