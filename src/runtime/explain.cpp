// SPDX-License-Identifier: Apache-2.0
//
// Keeps one explanation for each OS thread, in a thread-local object; a thread that has destroyed it uses one on the
// heap. Counters of what the program has asked are atomics, which are read until the process has ended.
#include "runtime/explain.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <utility>

#include "base/forking.hpp"
#include "engine/findings/findings.hpp"
#include "runtime/checking/unwritten_copies.hpp"
#include "runtime/host/findings.hpp"
#include "runtime/host/ignored_failures.hpp"
#include "runtime/host/refused_calls.hpp"
#include "runtime/host/user_call.hpp"
#include "runtime/last_error.hpp"
#include "runtime/process/runtime.hpp"
#include "runtime/session.hpp"

namespace warpfiber::runtime {
namespace {

/// What was said in the call that is in progress.
struct Explanation {
  std::string why;
  std::string fix;
  std::string aside;
  const void* unwritten = nullptr;
  bool has_finding = false;
  bool is_earlier = false;
};

}  // namespace

/// Functions that the program has called and that are not modelled.
struct UnmodelledCalls {
  std::mutex mutex;
  std::set<std::string> printed;
  bool is_first = true;
};

namespace {

// Most calls say nothing, and look no further than this.
constinit thread_local bool is_explained = false;

constinit thread_local bool is_gone = false;  // the thread's own explanation, and the thread soon as well

struct OwnExplanation : Explanation {
  OwnExplanation() = default;
  ~OwnExplanation() { is_gone = true; }
  OwnExplanation(const OwnExplanation&) = delete;
  OwnExplanation& operator=(const OwnExplanation&) = delete;
};

/// Of a thread that destroys static objects, and calls CUDA from there.
Explanation& late_explanation() {
  constinit thread_local static Explanation* instance = nullptr;
  if (instance == nullptr) instance = new Explanation;
  return *instance;
}

Explanation& explanation() {
  is_explained = true;
  if (is_gone) return late_explanation();
  thread_local OwnExplanation instance;
  return instance;
}

Explanation take_explanation() {
  if (!is_explained) return {};
  Explanation taken = std::exchange(explanation(), {});
  is_explained = false;
  return taken;
}

void print(const std::string& line) {
  if (!session().quiet) std::fprintf(stderr, "warpfiber: %s\n", line.c_str());
}

/// ", called at app.cu:12", where that is known.
std::string place_text(const UserCall& call) {
  const record::Place place = engine::place_of_call(call.returns_to);
  return place.known() ? ", called at " + place.file + ":" + std::to_string(place.line) : std::string();
}

// Read until the very end of the process.
constinit std::atomic<std::uint64_t> asked{0};
constinit std::atomic<std::uint64_t> named{0};
// By number of the error; those beyond share the last place.
constinit std::array<std::atomic<std::uint64_t>, 1024> named_each{};

std::atomic<std::uint64_t>& times_named(Error error) {
  const auto number = static_cast<std::size_t>(error);
  return named_each[std::min(number, named_each.size() - 1)];
}

/// What a program that never asks gets to see at its end.
class UncheckedErrorReport {
 public:
  UncheckedErrorReport() { static_cast<void>(session()); }  // so that it is still there at the end
  ~UncheckedErrorReport() {
    is_over = true;
    if (asked == 0 && named == 0 && first_ && !base::is_forked_child()) first_();
  }

  void keep(std::function<void()> report) {
    const std::lock_guard lock(mutex_);
    if (!first_) first_ = std::move(report);
  }

  /// Nothing can be kept any more, nor asked.
  static constinit std::atomic<bool> is_over;

 private:
  std::mutex mutex_;
  std::function<void()> first_;
};

constinit std::atomic<bool> UncheckedErrorReport::is_over{false};

UncheckedErrorReport& unchecked_error_report() {
  static UncheckedErrorReport instance;
  return instance;
}

}  // namespace

Error fail(Error error, std::string why, std::string fix) {
  explanation().why = std::move(why);
  explanation().fix = std::move(fix);
  return error;
}

void leaves_unwritten(const void* address) {
  explanation().unwritten = address;
}

void warn_verbose(std::string what) {
  explanation().aside = std::move(what);
}

void finding_is_made() {
  explanation().has_finding = true;
}

Error from_earlier(Error error) {
  if (error != Error::success) explanation().is_earlier = true;
  return error;
}

void forget_explanation() {
  static_cast<void>(take_explanation());
}

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
    if (!is_explained) return error;
    const Explanation said = take_explanation();
    if (!said.aside.empty() && session().verbose) print(std::string(function) + ": " + said.aside);
    return error;
  }
  // What a static object frees once the process ends is gone with it, and so is what is kept for reports.
  if (error != Error::cudart_unloading) finish_failed_call(function, error);
  return remember(error);
}

std::string reason() {
  return explanation().why;
}

void report_at_exit(std::function<void()> report) {
  if (!UncheckedErrorReport::is_over) return unchecked_error_report().keep(std::move(report));
  if (asked == 0 && named == 0) report();
}

void program_asks() {
  asked.fetch_add(1, std::memory_order_relaxed);
}

void program_names_error(Error error) {
  named.fetch_add(1, std::memory_order_relaxed);
  times_named(error).fetch_add(1, std::memory_order_relaxed);
}

TimesAsked times_asked(Error error) {
  return {asked, times_named(error), named};
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
