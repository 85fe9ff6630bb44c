// SPDX-License-Identifier: Apache-2.0
//
// Takes the explanation that the call has left, and decides who gets to see it.
#include "runtime/call_end.hpp"

#include <cstdio>
#include <set>
#include <string>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "engine/findings/findings.hpp"
#include "process/current_device.hpp"
#include "process/errors.hpp"
#include "process/explain.hpp"
#include "process/findings/host_findings.hpp"
#include "process/findings/result_use.hpp"
#include "process/host/asked.hpp"
#include "process/settings/reporting.hpp"
#include "process/user_call.hpp"
#include "report/reasons/reasons.hpp"
#include "runtime/checking/host_reach.hpp"
#include "runtime/checking/unwritten_copies.hpp"
#include "runtime/refused_calls.hpp"
#include "runtime/state/runtime_state.hpp"

namespace warpfiber::runtime {

using record::ReasonKind;

/// Functions that the program has called and that are not modelled.
struct UnmodelledCalls {
  base::Mutex mutex;
  std::set<std::string> printed WARPFIBER_GUARDED_BY(mutex);
  bool is_first WARPFIBER_GUARDED_BY(mutex) = true;
};

namespace {

void print(const std::string& line) {
  if (!process::report_settings().quiet) std::fprintf(stderr, "warpfiber: %s\n", line.c_str());
}

void print_reason(const record::Reason& reason) {
  print(report::reason_text(reason));
}

std::string line_of(const char* function, Error error, const record::Reason& why) {
  if (why.empty())
    return report::reason_text({ReasonKind::call_failed, function, report::name_of_returned(function, error)});
  return report::reason_text(
      {ReasonKind::call_failed_for_reason, function, report::name_of_returned(function, error), why});
}

/// ", called at app.cu:12", where that is known.
std::string place_text(const process::UserCall& call) {
  const record::Place place = engine::place_of_call(call.returns_to);
  return place.known() ? ", called at " + place.file + ":" + std::to_string(place.line) : std::string();
}

void finish_failed_call(const char* function, Error error) {
  const process::Explanation said = process::take_explanation();
  if (!process::host_is_checked()) process::note_returned_error(function, error);
  const bool is_finding =
      said.has_finding || (process::host_is_checked() && !said.is_earlier &&
                           report_refused_call({function, error, said.why, said.fix, said.unwritten}));
  // Not ready is an answer, and what is not modelled has been reported already.
  if (error == Error::not_ready || error == Error::not_supported) return;
  const std::string line = line_of(function, error, said.why);
  if (process::report_settings().verbose) return print(line);
  if (is_finding) return;
  const std::string fix = said.fix.empty() ? std::string() : report::reason_text(said.fix);
  if (said.concerns_user) {
    if (RuntimeState::of_process().no_device_is_reported.exchange(true)) return;
    print(line);
    return print("fix: " + fix);
  }
  process::report_at_exit([line, fix, call = process::user_call()] {
    print_reason({ReasonKind::error_not_checked, line + place_text(call)});
    if (!fix.empty()) print("fix: " + fix);
  });
}

}  // namespace

Error finish_call(const char* function, Error error) {
  if (error == Error::success) {
    close_device_memory();
    if (!process::is_explained()) return error;
    const process::Explanation said = process::take_explanation();
    if (!said.aside.empty() && process::report_settings().verbose)
      print_reason({ReasonKind::call_failed, function, said.aside});
    return error;
  }
  // What a static object frees once the process ends is gone with it, and so is what is kept for reports.
  if (error != Error::cudart_unloading) finish_failed_call(function, error);
  return process::remember(error);
}

void finish_failed_library_call(const FailedLibraryCall& call) {
  const process::Explanation said = process::take_explanation();
  const bool is_earlier = said.is_earlier || process::device_error(process::current_device()) != Error::success;
  const bool is_finding =
      said.has_finding ||
      (process::host_is_checked() && !is_earlier &&
       report_refused_library_call({call.function, call.status, call.why, call.fix, said.unwritten}, call.is_limit));
  if (is_finding) return;
  print_reason(call.why.empty()
                   ? record::Reason(ReasonKind::call_failed, call.function, call.status)
                   : record::Reason(ReasonKind::call_failed_for_reason, call.function, call.status, call.why));
}

Error unmodelled(const char* function) {
  expect_unwritten();
  UnmodelledCalls& calls = RuntimeState::of_process().unmodelled_calls.get();
  const base::Lock lock(calls.mutex);
  // What comes later works on what the first one has not made.
  const bool is_finding = process::host_is_checked() && std::exchange(calls.is_first, false);
  if (!is_finding) process::finding_is_made();
  if (!is_finding && calls.printed.insert(function).second) {
    print_reason({ReasonKind::call_not_modelled, function, report::name_of_returned(function, Error::not_supported)});
  }
  return process::fail(Error::not_supported, ReasonKind::function_not_modelled);
}

void print_unmodelled(const char* function, const char* status, const char* page) {
  expect_unwritten();
  UnmodelledCalls& calls = RuntimeState::of_process().unmodelled_calls.get();
  const base::Lock lock(calls.mutex);
  if (process::host_is_checked() && std::exchange(calls.is_first, false)) {
    const record::Reason why = ReasonKind::function_not_modelled;
    report_refused_library_call({function, status, why, {}, nullptr}, true);
  }
  if (calls.printed.insert(function).second) {
    print_reason({ReasonKind::library_call_not_modelled, function, status, page});
  }
}

}  // namespace warpfiber::runtime
