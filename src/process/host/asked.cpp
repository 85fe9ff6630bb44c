// SPDX-License-Identifier: Apache-2.0
//
// Counters are atomics, which are read until the process has ended.
#include "process/host/asked.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <utility>

#include "base/forking.hpp"
#include "process/session.hpp"

namespace warpfiber::runtime {
namespace {

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

}  // namespace warpfiber::runtime
