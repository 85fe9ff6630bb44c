// SPDX-License-Identifier: Apache-2.0
//
// Counters are atomics, which are read until the process has ended.
#include "process/host/asked.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/forking.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "process/process_state.hpp"
#include "process/settings/reporting.hpp"

namespace warpfiber::process {
namespace {

std::atomic<std::uint64_t>& times_named(Error error) {
  auto& each = ProcessState::of_process().errors_named_each;
  return each[std::min(static_cast<std::size_t>(error), each.size() - 1)];
}

bool has_asked() {
  return ProcessState::of_process().errors_asked.load() != 0 || ProcessState::of_process().errors_named.load() != 0;
}

/// What a program that never asks gets to see at its end.
class UncheckedErrorReport {
 public:
  UncheckedErrorReport() { static_cast<void>(report_settings()); }  // so that it is still there at the end
  ~UncheckedErrorReport() {
    ProcessState::of_process().unchecked_errors_are_over = true;
    if (!has_asked() && first_ && !base::is_forked_child()) first_();
  }

  void keep(std::function<void()> report) {
    const base::Lock lock(mutex_);
    if (!first_) first_ = std::move(report);
  }

 private:
  base::Mutex mutex_;
  std::function<void()> first_ WARPFIBER_GUARDED_BY(mutex_);
};

UncheckedErrorReport& unchecked_error_report() {
  static UncheckedErrorReport instance;
  return instance;
}

}  // namespace

void report_at_exit(std::function<void()> report) {
  if (!ProcessState::of_process().unchecked_errors_are_over) return unchecked_error_report().keep(std::move(report));
  if (!has_asked()) report();
}

void program_asks() {
  ProcessState::of_process().errors_asked.fetch_add(1, std::memory_order_relaxed);
}

void program_names_error(Error error) {
  ProcessState::of_process().errors_named.fetch_add(1, std::memory_order_relaxed);
  times_named(error).fetch_add(1, std::memory_order_relaxed);
}

TimesAsked times_asked(Error error) {
  return {ProcessState::of_process().errors_asked, times_named(error), ProcessState::of_process().errors_named};
}

}  // namespace warpfiber::process
