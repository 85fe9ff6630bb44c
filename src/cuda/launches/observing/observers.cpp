// SPDX-License-Identifier: Apache-2.0
// A launch reads the list without a lock, because it does not change while launches run. Profile and steps belong to
// the process; one without them pays one load and one test for each a launch.
#include "launches/observing/observers.hpp"

#include <unistd.h>

#include <optional>
#include <vector>

#include "base/files.hpp"
#include "launches/state/launches_state.hpp"
#include "process/findings/findings_log.hpp"
#include "process/kernels.hpp"
#include "process/reporter.hpp"
#include "process/settings/observing.hpp"
#include "process/settings/reporting.hpp"
#include "process/variables.hpp"
#include "profile/observer.hpp"
#include "profile/profile.hpp"
#include "step/observer.hpp"

namespace warpfiber::launches {
namespace {

std::vector<record::ObserverFactory*>& observers() {
  return LaunchesState::of_process().observers.get();
}

}  // namespace

void add_launch_observer(record::ObserverFactory& observer) {
  observers().push_back(&observer);
}

void remove_launch_observer(record::ObserverFactory& observer) {
  std::erase(observers(), &observer);
}

std::span<record::ObserverFactory* const> launch_observers() {
  return observers();
}

namespace {

std::optional<profile::VariableMemory> variable_around(const void* address) {
  const std::optional<process::VariableInstance> variable = process::variable_around(address);
  if (!variable.has_value()) return std::nullopt;
  return profile::VariableMemory{variable->base, variable->bytes, variable->kind == cuda::VariableKind::constant};
}

}  // namespace

struct ProcessProfile {
  ProcessProfile() {
    if (process::observe_settings().profile.empty() && process::observe_settings().report.empty()) return;
    process::open_findings_log();  // whose end writes the profile
    add_launch_observer(factory);
  }

  profile::Profile profile;
  profile::ProfileFactory factory{profile, variable_around};
  const pid_t owner = ::getpid();
};

void begin_profile() {
  LaunchesState::of_process().profile.get();
}

std::string profile_document() {
  return profile::to_json(LaunchesState::of_process().profile.get().profile, process::full_kernel_name);
}

void write_profile() {
  ProcessProfile& made = LaunchesState::of_process().profile.get();
  const std::string path = process::file_of_process(process::observe_settings().profile, made.owner);
  if (path.empty() || ::getpid() != made.owner) return;
  const std::string why = base::write_output(path, profile_document());
  if (!why.empty()) process::print_line({record::ReasonKind::file_not_written, "WARPFIBER_PROFILE", path, why});
}

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
  LaunchesState::of_process().steps.get();
}

void end_steps() {
  ProcessSteps& made = LaunchesState::of_process().steps.get();
  if (made.stepper.has_value()) made.stepper->end();
}

}  // namespace warpfiber::launches
