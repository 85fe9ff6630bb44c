// SPDX-License-Identifier: Apache-2.0
//
// Reads /proc/self/task to see whether other threads of the process run, and /proc/self/maps for memory that other
// processes may write. Both are asked only when launches stand still.
#include "streams/host_threads.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "base/forking.hpp"
#include "base/text.hpp"
#include "engine/run.hpp"
#include "process/host_thread.hpp"
#include "process/runtime.hpp"
#include "process/session.hpp"
#include "process/thread_parts.hpp"

namespace warpfiber::streams {
namespace {

using SteadyClock = std::chrono::steady_clock;

}  // namespace

struct ProcessThreads {
  std::atomic<int> using_cuda{0};
  std::atomic<int> blocked{0};
  std::atomic<bool> ending{false};

  std::mutex mutex;
  std::vector<int> known;  // those that use CUDA and the runtime's own, by the OS's numbers
  std::uint64_t last_look = 0;
  SteadyClock::time_point quiet_since{};
  SteadyClock::time_point ending_since{};
  SteadyClock::time_point shared_since{};  // the time of the first question in a row
  SteadyClock::time_point shared_asked{};  // of the last one
  bool thread_did_not_help = false;        // a stranger has slept for the watchdog's time
  bool process_did_not_help = false;       // the same for those that share memory
};

namespace {

ProcessThreads& threads() {
  return process::Runtime::of_process().threads.get();
}

void know(int number) {
  const std::lock_guard lock(threads().mutex);
  threads().known.push_back(number);
}

void forget(int number) {
  if (base::is_forked_child()) return;
  const std::lock_guard lock(threads().mutex);
  std::erase(threads().known, number);
}

}  // namespace

/// The calling thread is among those that use CUDA.
struct CountedThread {
  CountedThread() : number(engine::os_thread_number()) {
    process::HostThreadState::of_caller().is_counted = true;
    threads().using_cuda.fetch_add(1);
    know(number);
  }
  ~CountedThread() {
    process::HostThreadState::of_caller().is_counted = false;
    threads().using_cuda.fetch_sub(1);
    forget(number);
  }
  CountedThread(const CountedThread&) = delete;
  CountedThread& operator=(const CountedThread&) = delete;

  int number;
};

namespace {

struct ForeignThreads {
  bool any = false;
  bool awake = false;
  std::uint64_t look = 0;  // changes when they do anything
};

/// "PID (name) STATE …", utime and stime being fields 14 and 15 (proc(5)).
void look_at(const std::string& stat, ForeignThreads& foreign) {
  const std::size_t after_name = stat.rfind(')');
  if (after_name == std::string::npos) return;
  std::istringstream fields(stat.substr(after_name + 1));
  std::string state;
  std::string skipped;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  fields >> state;
  for (int i = 0; i < 10; ++i) fields >> skipped;
  fields >> user >> system;
  foreign.any = true;
  foreign.awake = foreign.awake || state == "R";
  foreign.look = foreign.look * 31 + user + system + 1;
}

/// The threads of the process that neither use CUDA nor belong to the runtime. The mutex is held.
ForeignThreads find_foreign_threads(const ProcessThreads& all) {
  const std::vector<int> helpers = engine::helper_threads();
  ForeignThreads foreign;
  std::error_code none;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", none)) {
    const std::string name = task.path().filename().string();
    int number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    const auto is = [number](const std::vector<int>& list) {
      return std::find(list.begin(), list.end(), number) != list.end();
    };
    if (is(all.known) || is(helpers)) continue;
    std::ifstream file(task.path() / "stat");
    std::string stat;
    std::getline(file, stat);
    look_at(stat, foreign);
  }
  return foreign;
}

/// Whether the watchdog's time has passed since then.
bool is_over(SteadyClock::time_point since) {
  const unsigned watchdog = process::session().watchdog_seconds;
  return watchdog != 0 && SteadyClock::now() - since >= std::chrono::seconds(watchdog);
}

/// Whether the mapping is one whose memory others may write: "BEGIN-END r?-s OFFSET DEVICE INODE PATH" (proc(5)). The C
/// library maps tables of the system in this way, which nobody writes while programs run.
bool is_shared(const std::string& mapping) {
  const std::size_t permissions = mapping.find(' ') + 1;
  if (permissions == 0 || mapping.compare(permissions, 1, "r") != 0 || mapping.compare(permissions + 3, 1, "s") != 0)
    return false;
  const std::size_t path = mapping.find('/');
  const bool is_of_system = path != std::string::npos && mapping.compare(path, 5, "/usr/") == 0;
  return !is_of_system || mapping.compare(permissions + 1, 1, "w") == 0;
}

/// Whether another process may write to memory of this one.
bool has_shared_mapping() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (is_shared(line)) return true;
  }
  return false;
}

}  // namespace

void know_host_thread() {
  process::own_part(&process::ThreadParts::counted);
}

OwnThread::OwnThread() : number_(engine::os_thread_number()) {
  know(number_);
}
OwnThread::~OwnThread() {
  forget(number_);
}

void host_is_blocked(bool blocked) {
  if (process::HostThreadState::of_caller().is_counted) threads().blocked.fetch_add(blocked ? 1 : -1);
}

void process_is_ending(bool ending) {
  const std::lock_guard lock(threads().mutex);
  if (ending) threads().ending_since = SteadyClock::now();
  threads().ending.store(ending);
}

void watch_hosts_anew() {
  const std::lock_guard lock(threads().mutex);
  threads().last_look = 0;
  threads().shared_asked = {};
  threads().thread_did_not_help = threads().process_did_not_help = false;
}

bool hosts_can_help() {
  ProcessThreads& all = threads();
  const bool any_can = all.using_cuda.load() > all.blocked.load();
  if (any_can && !all.ending.load()) return true;
  const std::lock_guard lock(all.mutex);
  if (all.ending.load() && is_over(all.ending_since)) return false;
  if (any_can) return true;
  const ForeignThreads foreign = find_foreign_threads(all);
  all.thread_did_not_help = false;
  if (!foreign.any) return false;
  const SteadyClock::time_point now = SteadyClock::now();
  if (foreign.awake || foreign.look != all.last_look) {
    all.last_look = foreign.look;
    all.quiet_since = now;
    return true;
  }
  all.thread_did_not_help = is_over(all.quiet_since);
  return !all.thread_did_not_help;
}

bool other_processes_can_help() {
  constexpr auto kInARow = std::chrono::seconds(1);
  if (!has_shared_mapping()) return false;
  ProcessThreads& all = threads();
  const std::lock_guard lock(all.mutex);
  const SteadyClock::time_point now = SteadyClock::now();
  if (now - all.shared_asked > kInARow) all.shared_since = now;
  all.shared_asked = now;
  all.process_did_not_help = is_over(all.shared_since);
  return !all.process_did_not_help;
}

std::optional<record::OutsideHelp> waited_for_helpers() {
  ProcessThreads& all = threads();
  const std::lock_guard lock(all.mutex);
  if (!all.thread_did_not_help && !all.process_did_not_help) return std::nullopt;
  return record::OutsideHelp{all.process_did_not_help, process::session().watchdog_seconds};
}

}  // namespace warpfiber::streams
