// SPDX-License-Identifier: Apache-2.0
//
// Reads /proc/self/task to see whether other threads of the process run, and /proc/self/maps for memory that other
// processes may write. Both are asked only when launches stand still.
#include "launches/host/host_threads.hpp"

#include <signal.h>
#include <sys/syscall.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/forking.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "base/text.hpp"
#include "engine/run.hpp"
#include "launches/state/launches_state.hpp"
#include "process/host_thread.hpp"
#include "process/settings/waiting.hpp"
#include "process/thread_parts.hpp"

namespace warpfiber::launches {
namespace {

using SteadyClock = std::chrono::steady_clock;

}  // namespace

struct CountedThread;

struct ProcessThreads {
  std::atomic<bool> ending{false};

  base::Mutex mutex;
  std::vector<int> own WARPFIBER_GUARDED_BY(mutex);                 // the runtime's, by the OS's numbers
  std::vector<CountedThread*> counted WARPFIBER_GUARDED_BY(mutex);  // those of the program that use CUDA
  std::uint64_t last_look WARPFIBER_GUARDED_BY(mutex) = 0;
  SteadyClock::time_point quiet_since WARPFIBER_GUARDED_BY(mutex){};
  SteadyClock::time_point ending_since WARPFIBER_GUARDED_BY(mutex){};
  SteadyClock::time_point shared_since WARPFIBER_GUARDED_BY(mutex){};  // the time of the first question in a row
  SteadyClock::time_point shared_asked WARPFIBER_GUARDED_BY(mutex){};  // of the last one
  bool thread_did_not_help WARPFIBER_GUARDED_BY(mutex) = false;   // those that could have slept for the watchdog's time
  bool process_did_not_help WARPFIBER_GUARDED_BY(mutex) = false;  // the same for those that share memory
};

namespace {

ProcessThreads& threads() {
  return LaunchesState::of_process().threads.get();
}

}  // namespace

/// The calling thread is among those that use CUDA.
struct CountedThread {
  CountedThread() : number(engine::os_thread_number()) {
    const base::Lock lock(threads().mutex);
    threads().counted.push_back(this);
  }
  ~CountedThread() {
    if (base::is_forked_child()) return;
    const base::Lock lock(threads().mutex);
    std::erase(threads().counted, this);
  }
  CountedThread(const CountedThread&) = delete;
  CountedThread& operator=(const CountedThread&) = delete;

  const int number;
  std::atomic<int> blocked{0};  // calls that wait for the device, of which one may run a task that waits
};

namespace {

struct HelpingThreads {
  bool is_known = false;  // /proc can be read
  bool any = false;
  bool awake = false;
  std::uint64_t look = 0;  // changes when they do anything
};

std::string line_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// Nanoseconds; `schedstat` begins with them (Linux, "Scheduler Statistics").
std::optional<std::uint64_t> time_run(const std::string& schedstat) {
  std::uint64_t ran = 0;
  const auto read = std::from_chars(schedstat.data(), schedstat.data() + schedstat.size(), ran);
  return read.ec == std::errc() ? std::optional(ran) : std::nullopt;
}

/// "PID (name) STATE …", utime and stime being fields 14 and 15 (proc(5)). These count hundredths of a second, so that
/// a thread which wakes up and sleeps again need not change them; `schedstat` begins with the nanoseconds that it ran.
void look_at(const std::string& stat, const std::string& schedstat, HelpingThreads& helping) {
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
  helping.any = true;
  helping.awake = helping.awake || state == "R";
  helping.look = helping.look * 31 + time_run(schedstat).value_or(user + system) + 1;
}

/// The numbers of the runtime's threads.
std::vector<int> threads_of_runtime(const ProcessThreads& all) WARPFIBER_REQUIRES(all.mutex) {
  std::vector<int> numbers = engine::helper_threads();
  numbers.insert(numbers.end(), all.own.begin(), all.own.end());
  return numbers;
}

/// Calls look(folder) for each thread of the process but `others`, until it returns false. Returns whether there is
/// /proc.
template <class Look>
bool for_each_thread_but(const std::vector<int>& others, Look look) {
  bool is_known = false;
  std::error_code none;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", none)) {
    const std::string name = task.path().filename().string();
    int number = 0;
    is_known = true;
    std::from_chars(name.data(), name.data() + name.size(), number);
    if (std::ranges::find(others, number) == others.end() && !look(task.path())) break;
  }
  return is_known;
}

/// The threads of the program that are not blocked in CUDA.
HelpingThreads find_helping_threads(const ProcessThreads& all) WARPFIBER_REQUIRES(all.mutex) {
  std::vector<int> others = threads_of_runtime(all);
  for (const CountedThread* one : all.counted) {
    if (one->blocked.load() > 0) others.push_back(one->number);
  }
  HelpingThreads helping;
  helping.is_known = for_each_thread_but(others, [&helping](const std::filesystem::path& folder) {
    look_at(line_of(folder / "stat"), line_of(folder / "schedstat"), helping);
    return true;
  });
  // Without /proc threads that use CUDA are taken for awake, and of others nothing is known.
  if (!helping.is_known)
    helping.any = helping.awake = std::ranges::any_of(all.counted, [](const auto* one) { return one->blocked == 0; });
  return helping;
}

/// "NUMBER ARGUMENTS… STACK INSTRUCTION", arguments as hexadecimal numbers, or "running" (proc(5), /proc/PID/syscall).
/// The fourth argument of futex(2) is the longest time to wait.
bool sleeps_until_woken(const std::string& syscall) {
  std::istringstream fields(syscall);
  long number = -1;
  std::string argument;
  fields >> number;
  for (int i = 0; i < 4; ++i) fields >> argument;
  return fields && number == SYS_futex && argument == "0x0";
}

/// Whether the program handles a signal that may come from a timer, from a child or from outside.
bool may_be_woken_by_signal() {
  constexpr int kSignals[] = {SIGALRM, SIGCHLD, SIGHUP, SIGIO, SIGUSR1, SIGUSR2, SIGVTALRM};
  return std::ranges::any_of(kSignals, [](int signal) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    return (action.sa_flags & SA_SIGINFO) != 0 || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
  });
}

/// Whether the watchdog's time has passed since then.
bool is_over(SteadyClock::time_point since) {
  const unsigned watchdog = process::wait_settings().watchdog_seconds;
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
  const base::Lock lock(threads().mutex);
  threads().own.push_back(number_);
}
OwnThread::~OwnThread() {
  if (base::is_forked_child()) return;
  const base::Lock lock(threads().mutex);
  std::erase(threads().own, number_);
}

InProgramCode::InProgramCode() {
  const int number = engine::os_thread_number();
  const base::Lock lock(threads().mutex);
  const auto own = std::ranges::find(threads().own, number);
  is_own_ = own != threads().own.end();
  if (is_own_) threads().own.erase(own);
  for (CountedThread* one : threads().counted) {
    if (one->number == number) blocked_ = one->blocked.exchange(0);
  }
}

InProgramCode::~InProgramCode() {
  if (base::is_forked_child()) return;
  const int number = engine::os_thread_number();
  const base::Lock lock(threads().mutex);
  if (is_own_) threads().own.push_back(number);
  for (CountedThread* one : threads().counted) {
    if (one->number == number) one->blocked.store(blocked_);
  }
}

void host_is_blocked(bool blocked) {
  CountedThread* const caller = process::own_part(&process::ThreadParts::counted);
  if (caller != nullptr) caller->blocked.fetch_add(blocked ? 1 : -1);
}

void process_is_ending(bool ending) {
  const base::Lock lock(threads().mutex);
  if (ending) threads().ending_since = SteadyClock::now();
  threads().ending.store(ending);
}

void watch_hosts_anew() {
  const base::Lock lock(threads().mutex);
  threads().last_look = 0;
  threads().shared_asked = {};
  threads().thread_did_not_help = threads().process_did_not_help = false;
}

bool hosts_can_help() {
  ProcessThreads& all = threads();
  const base::Lock lock(all.mutex);
  if (all.ending.load() && is_over(all.ending_since)) return false;
  const HelpingThreads helping = find_helping_threads(all);
  all.thread_did_not_help = false;
  if (!helping.any) return false;
  const SteadyClock::time_point now = SteadyClock::now();
  if (helping.awake || helping.look != all.last_look) {
    all.last_look = helping.look;
    all.quiet_since = now;
    return true;
  }
  all.thread_did_not_help = is_over(all.quiet_since);
  return !all.thread_did_not_help;
}

std::optional<std::uint64_t> time_run_by_sleepers() {
  if (may_be_woken_by_signal()) return std::nullopt;
  ProcessThreads& all = threads();
  const base::Lock lock(all.mutex);
  std::optional<std::uint64_t> sum = 0;
  const bool is_known = for_each_thread_but(threads_of_runtime(all), [&sum](const std::filesystem::path& folder) {
    const std::optional<std::uint64_t> ran = time_run(line_of(folder / "schedstat"));
    if (!ran.has_value() || !sleeps_until_woken(line_of(folder / "syscall"))) sum.reset();
    if (sum.has_value()) *sum += *ran;
    return sum.has_value();
  });
  return is_known ? sum : std::nullopt;
}

bool other_processes_can_help() {
  constexpr auto kInARow = std::chrono::seconds(1);
  if (!has_shared_mapping()) return false;
  ProcessThreads& all = threads();
  const base::Lock lock(all.mutex);
  const SteadyClock::time_point now = SteadyClock::now();
  if (now - all.shared_asked > kInARow) all.shared_since = now;
  all.shared_asked = now;
  all.process_did_not_help = is_over(all.shared_since);
  return !all.process_did_not_help;
}

bool ends_in_kernel() {
  return engine::inside_kernel();
}

std::optional<record::OutsideHelp> waited_for_helpers() {
  ProcessThreads& all = threads();
  const base::Lock lock(all.mutex);
  if (!all.thread_did_not_help && !all.process_did_not_help) return std::nullopt;
  return record::OutsideHelp{all.process_did_not_help, process::wait_settings().watchdog_seconds};
}

}  // namespace warpfiber::launches
