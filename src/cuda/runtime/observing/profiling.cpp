// SPDX-License-Identifier: Apache-2.0
// The profile belongs to the process. A process without one pays one load and one test a launch.
#include "runtime/observing/profiling.hpp"

#include <unistd.h>

#include <memory>
#include <optional>
#include <string>

#include "base/system/output_file.hpp"
#include "process/findings/findings_log.hpp"
#include "process/kernels.hpp"
#include "process/reporter.hpp"
#include "process/settings/observing.hpp"
#include "process/settings/reporting.hpp"
#include "process/variables.hpp"
#include "profile/document.hpp"
#include "profile/observer.hpp"
#include "profile/profile.hpp"
#include "runtime/observing/observers.hpp"
#include "runtime/state/runtime_state.hpp"

namespace warpfiber::runtime {
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
  RuntimeState::of_process().profile.get();
}

std::string profile_document() {
  return profile::to_json(RuntimeState::of_process().profile.get().profile, process::full_kernel_name);
}

void write_profile() {
  ProcessProfile& made = RuntimeState::of_process().profile.get();
  const std::string path = process::file_of_process(process::observe_settings().profile, made.owner);
  if (path.empty() || ::getpid() != made.owner) return;
  const std::string why = base::write_output(path, profile_document());
  if (!why.empty()) process::print_line({record::ReasonKind::file_not_written, "WARPFIBER_PROFILE", path, why});
}

}  // namespace warpfiber::runtime
