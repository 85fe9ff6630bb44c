// SPDX-License-Identifier: Apache-2.0
// The observer of launches that counts statements and stops where a debugger wants. Needs programs that report their
// statements (-fstatements).
#pragma once

#include <cstdint>
#include <memory>

#include "base/locks/annotated_mutex.hpp"
#include "record/observer.hpp"
#include "step/line_counts.hpp"
#include "step/state.hpp"

namespace warpfiber::step {

/// Of the process: observers of launches that run at the same time share it.
class Stepper {
 public:
  using Stop = void (*)(const StepState* state);

  /// `first` is the position of the first stop; 0: none. `on_stop` is called with the state at each, on the stack of
  /// the thread that runs.
  explicit Stepper(std::uint64_t first, Stop on_stop = warpfiber_step_stop) : stop_(on_stop) { state.stop_at = first; }

  /// The process ends: the last stop.
  void end();

  base::Mutex mutex;  // held at a stop as well
  StepState state WARPFIBER_GUARDED_BY(mutex);
  LineCounts counts WARPFIBER_GUARDED_BY(mutex);

  void stop(StepStop why) WARPFIBER_REQUIRES(mutex);

 private:
  const Stop stop_;
};

/// Makes the observers of all launches, which work for one Stepper.
class StepFactory final : public record::ObserverFactory {
 public:
  explicit StepFactory(Stepper& stepper) : stepper_(stepper) {}
  std::unique_ptr<record::Observer> make() override;

 private:
  Stepper& stepper_;
};

}  // namespace warpfiber::step
