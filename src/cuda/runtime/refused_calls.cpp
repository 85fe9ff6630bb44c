// SPDX-License-Identifier: Apache-2.0
//
// Decides by tables of errors and of functions' names whether a refused call is a mistake, then logs the finding with
// the reason that the function left (process/explain.hpp).
#include "runtime/refused_calls.hpp"

#include <algorithm>
#include <utility>

#include "process/errors.hpp"
#include "process/findings/findings_log.hpp"
#include "process/findings/host_findings.hpp"
#include "process/user_call.hpp"
#include "record/diagnosis.hpp"

namespace warpfiber::runtime {
namespace {

/// Errors that say of the arguments what no program can mean.
constexpr Error kMistakes[] = {
    Error::invalid_resource_handle, Error::invalid_memcpy_direction, Error::invalid_pitch_value, Error::invalid_symbol,
    Error::not_permitted,           Error::missing_configuration,
};

/// Errors that may be met whatever the function.
constexpr Error kLimits[] = {Error::memory_allocation, Error::not_supported, Error::peer_access_not_enabled,
                             Error::host_memory_already_registered, Error::host_memory_not_registered};

/// Functions that ask or set something, as parts of their names: what the device or the system allows is not the
/// program's to know.
constexpr std::string_view kTries[] = {"Get",    "Set",     "Query", "CanAccess", "Choose", "Init",
                                       "Enable", "Disable", "Host",  "Register",  "Advise", "Prefetch"};

template <class List>
bool contains(const List& list, Error error) {
  return std::ranges::find(list, error) != std::end(list);
}

record::Finding finding_of(const FailedCall& call) {
  record::Finding made = process::refused_call(call.function);
  made.left_unwritten = process::begin_of_object(call.unwritten);
  made.diagnosis = record::StatedDiagnosis{.by = record::StatedDiagnosis::By::refused_call,
                                           .reason = call.why,
                                           .fix = call.fix,
                                           .call = call.function,
                                           .error = call.error};
  return made;
}

}  // namespace

Refusal refusal_of(std::string_view function, Error error) {
  const auto named = [function](std::string_view part) { return function.find(part) != std::string_view::npos; };
  if (error == Error::success || error == Error::not_ready || process::stays(error)) return Refusal::none;
  if (named("Occupancy") || error == Error::peer_access_already_enabled) return Refusal::answer;
  if (contains(kMistakes, error)) return Refusal::mistake;
  if (contains(kLimits, error)) return Refusal::limit;
  return std::ranges::any_of(kTries, named) ? Refusal::limit : Refusal::mistake;
}

bool report_refused_call(const FailedCall& call) {
  const Refusal meaning = refusal_of(call.function, call.error);
  if (meaning == Refusal::none) return false;
  if (meaning == Refusal::mistake) {
    process::end_naming(call.error);
    process::log_finding(finding_of(call));
  } else {
    process::log_unless_handled(finding_of(call), {call.error, call.function, meaning == Refusal::answer});
  }
  return true;
}

bool report_refused_library_call(const RefusedLibraryCall& call, bool is_limit) {
  record::Finding made = process::refused_call(call.function);
  made.left_unwritten = process::begin_of_object(call.unwritten);
  made.diagnosis = record::StatedDiagnosis{.by = record::StatedDiagnosis::By::refused_call,
                                           .reason = call.why,
                                           .fix = call.fix,
                                           .call = call.function,
                                           .status = call.status};
  if (is_limit) {
    process::log_unless_handled(std::move(made), {Error::not_supported, call.function, false});
  } else {
    process::log_finding(std::move(made));
  }
  return true;
}

}  // namespace warpfiber::runtime
