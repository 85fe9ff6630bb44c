// SPDX-License-Identifier: Apache-2.0
//
// A look compares the processor time of all threads of the program with that of the look before.
#include "streams/host/host_function_watch.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <system_error>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "launches/host/host_threads.hpp"
#include "process/findings/host_findings.hpp"
#include "process/settings/waiting.hpp"

namespace warpfiber::streams {
namespace {

constexpr int kLooks = 4;  // in the watchdog's time

std::chrono::milliseconds watchdog() {
  return std::chrono::seconds(process::wait_settings().watchdog_seconds);
}

}  // namespace

/// What does not change while all threads sleep.
struct HostFunctionWatch::Sleep {
  std::uint64_t ran = 0;      // nanoseconds of all threads of the program
  std::uint64_t changes = 0;  // begins and ends of host functions
  std::vector<process::UserCall> waits{};
};

void HostFunctionWatch::start(FindWaits find_waits, Leave leave) {
  const base::Lock lock(mutex_);
  if (leave_ != nullptr || stopped_ || watchdog().count() == 0) return;
  find_waits_ = std::move(find_waits);
  leave_ = leave;
  try {
    thread_.emplace([this] { serve(); });
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
}

void HostFunctionWatch::stop() {
  std::optional<engine::RuntimeThread> thread;
  {
    const base::Lock lock(mutex_);
    stopped_ = true;
    thread.swap(thread_);
  }
  changed_.notify_all();
  if (thread.has_value()) thread->join();
}

void HostFunctionWatch::begin(const record::OperationFacts& function) {
  const base::Lock lock(mutex_);
  running_.push_back(function);
  ++begun_;
  changed_.notify_all();
}

void HostFunctionWatch::end(const record::OperationFacts& function) {
  const base::Lock lock(mutex_);
  running_.erase(std::ranges::find(running_, function.returns_to, &record::OperationFacts::returns_to));
}

std::size_t HostFunctionWatch::running() const {
  const base::Lock lock(mutex_);
  return running_.size();
}

bool HostFunctionWatch::are_dead() const {
  const base::Lock lock(mutex_);
  return dead_;
}

/// Nothing where some thread runs, or will by itself.
std::optional<HostFunctionWatch::Sleep> HostFunctionWatch::look() {
  const std::optional<std::uint64_t> ran = launches::time_run_by_sleepers();
  if (!ran.has_value()) return std::nullopt;
  std::optional<std::vector<process::UserCall>> waits = find_waits_();
  if (!waits.has_value()) return std::nullopt;
  const base::Lock lock(mutex_);
  return Sleep{*ran, begun_ * 2 - running_.size(), std::move(*waits)};
}

/// Until the next look, and for as long as no host function runs. False when the watch is stopped.
bool HostFunctionWatch::pause() {
  const base::Lock lock(mutex_);
  while (!stopped_ && running_.empty()) changed_.wait(mutex_);
  const auto end = std::chrono::steady_clock::now() + watchdog() / kLooks;
  while (!stopped_ && changed_.wait_until(mutex_, end) == std::cv_status::no_timeout) {
  }
  return !stopped_;
}

/// Those that run, which will never return.
std::vector<record::OperationFacts> HostFunctionWatch::give_up() {
  const base::Lock lock(mutex_);
  dead_ = !running_.empty();
  return running_;
}

void HostFunctionWatch::serve() {
  const launches::OwnThread own;
  std::optional<Sleep> asleep;
  std::chrono::steady_clock::time_point since;
  while (pause()) {
    std::optional<Sleep> now = look();
    const bool same =
        asleep.has_value() && now.has_value() && asleep->ran == now->ran && asleep->changes == now->changes;
    if (!same) since = std::chrono::steady_clock::now();
    asleep = std::move(now);
    if (!same || std::chrono::steady_clock::now() - since < watchdog()) continue;
    const std::vector<record::OperationFacts> functions = give_up();
    if (functions.empty()) continue;
    leave_(process::host_functions_asleep(functions, asleep->waits));
    return;
  }
}

}  // namespace warpfiber::streams
