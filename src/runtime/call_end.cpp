// SPDX-License-Identifier: Apache-2.0
//
// Takes the explanation that the call has left, and decides who gets to see it.
#include "runtime/call_end.hpp"

#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "engine/findings/findings.hpp"
#include "process/explain.hpp"
#include "process/findings/host_findings.hpp"
#include "process/findings/ignored_failures.hpp"
#include "process/host/asked.hpp"
#include "process/last_error.hpp"
#include "process/runtime.hpp"
#include "process/session.hpp"
#include "process/user_call.hpp"
#include "runtime/checking/unwritten_copies.hpp"
#include "runtime/refused_calls.hpp"

namespace warpfiber::runtime {

/// Functions that the program has called and that are not modelled.
struct UnmodelledCalls {
  std::mutex mutex;
  std::set<std::string> printed;
  bool is_first = true;
};

namespace {

void print(const std::string& line) {
  if (!session().quiet) std::fprintf(stderr, "warpfiber: %s\n", line.c_str());
}

/// ", called at app.cu:12", where that is known.
std::string place_text(const UserCall& call) {
  const record::Place place = engine::place_of_call(call.returns_to);
  return place.known() ? ", called at " + place.file + ":" + std::to_string(place.line) : std::string();
}

}  // namespace

namespace {

void finish_failed_call(const char* function, Error error) {
  const Explanation said = take_explanation();
  if (!host_is_checked()) note_returned_error(function, error);
  const bool is_finding =
      said.has_finding || (host_is_checked() && !said.is_earlier &&
                           report_refused_call({function, error, said.why, said.fix, said.unwritten}));
  std::string line = std::string(function) + ": " + error_name(error);
  if (!said.why.empty()) line += ": " + said.why;
  // Not ready is an answer, and what is not modelled has been told already.
  if (error == Error::not_ready || error == Error::not_supported) return;
  if (session().verbose) return print(line);
  if (is_finding) return;
  report_at_exit(
      [line, call = user_call()] { print(line + place_text(call) + " (the program did not check for errors)"); });
}

}  // namespace

Error finish_call(const char* function, Error error) {
  if (error == Error::success) {
    if (!is_explained()) return error;
    const Explanation said = take_explanation();
    if (!said.aside.empty() && session().verbose) print(std::string(function) + ": " + said.aside);
    return error;
  }
  // What a static object frees once the process ends is gone with it, and so is what is kept for reports.
  if (error != Error::cudart_unloading) finish_failed_call(function, error);
  return remember(error);
}

Error unmodelled(const char* function) {
  expect_unwritten();
  UnmodelledCalls& calls = Runtime::of_process().unmodelled_calls.get();
  const std::lock_guard lock(calls.mutex);
  // What comes later works on what the first one has not made.
  const bool is_finding = host_is_checked() && std::exchange(calls.is_first, false);
  if (!is_finding) finding_is_made();
  if (!is_finding && calls.printed.insert(function).second) {
    print(std::string(function) + " is not modelled: cudaErrorNotSupported");
  }
  return fail(Error::not_supported, "Warpfiber does not model this function");
}

}  // namespace warpfiber::runtime
