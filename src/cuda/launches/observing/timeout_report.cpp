// SPDX-License-Identifier: Apache-2.0
// The signal wakes a thread of our own, which ends the launches first: each reports its findings. Then the signal comes
// to the program's first thread and shows where that is. It may be inside malloc or hold a lock; then its place is not
// reported, and the process ends a little later.
#include "launches/observing/timeout_report.hpp"

#include <execinfo.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>

#include "base/interrupted.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "engine/run.hpp"
#include "engine/state/large_stack.hpp"
#include "launches/host/host_threads.hpp"
#include "launches/state/launches_state.hpp"
#include "process/reporter.hpp"
#include "report/locate.hpp"
#include "report/reasons/reasons.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::launches {
namespace {

constexpr std::size_t kMostCallers = 64;
constexpr unsigned kMostPrinted = 8;

constexpr int kSignals[] = {SIGXCPU, SIGINT, SIGTERM};
constexpr std::chrono::seconds kTimeForReports{20};
constexpr std::chrono::seconds kTimeForPlace{3};

}  // namespace

/// The signal that asks, and the place of the one thread that it has come to.
struct TimeoutReport {
  sem_t asked;
  std::atomic<int> asked_by{0};  // the signal
  std::atomic<pid_t> served{0};  // the process whose thread waits for it
  std::array<void*, kMostCallers> callers;
  int callers_found = 0;
  const void* interrupted_at = nullptr;
};

struct StoppedLaunches {
  base::Mutex mutex;
  base::Condition ended;
  unsigned reporting WARPFIBER_GUARDED_BY(mutex) = 0;
  bool time_over WARPFIBER_GUARDED_BY(mutex) = false;
};

namespace {

TimeoutReport& timeout() {
  return LaunchesState::of_process().timeout_report.get();
}

StoppedLaunches& launches() {
  return LaunchesState::of_process().stopped_launches.get();
}

/// As the signal would have done, so that whoever started the process sees it.
[[noreturn]] void end_process() {
  const int signal = timeout().asked_by.load();
  if (signal == SIGINT || signal == SIGTERM) {
    ::signal(signal, SIG_DFL);
    sigset_t only{};
    ::sigemptyset(&only);
    ::sigaddset(&only, signal);
    ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    ::raise(signal);
  }
  ::kill(getpid(), SIGKILL);
  for (;;) ::pause();
}

/// The signal has interrupted the program where `callers` say.
void report_interrupted() {
  symbols::Symboliser symboliser;  // the interrupted thread may be using that of the process
  std::string text;
  unsigned printed = 0;
  bool at_main = false;
  for (int i = 0; i < timeout().callers_found && !at_main; ++i) {
    const auto address = reinterpret_cast<std::uintptr_t>(timeout().callers[static_cast<std::size_t>(i)]);
    const bool is_return = timeout().callers[static_cast<std::size_t>(i)] != timeout().interrupted_at;
    for (const symbols::Frame& frame : symboliser.frames(address - (is_return ? 1 : 0))) {
      if (at_main || !frame.users || printed == kMostPrinted) continue;
      text += "  " + report::frame_text(frame) + "\n";
      ++printed;
      at_main = frame.function == "main";  // what called it is the C library's
    }
  }
  const auto who =
      ends_in_kernel() ? record::ReasonKind::kernel_thread_interrupted : record::ReasonKind::program_interrupted;
  if (printed != 0) process::print_report(report::reason_text({who, text}));
}

/// Returns when no launch has anything to report any more, or the time for that is over.
void await_reports() {
  const auto end = std::chrono::steady_clock::now() + kTimeForReports;
  const base::Lock lock(launches().mutex);
  while (launches().reporting != 0) {
    if (launches().ended.wait_until(launches().mutex, end) == std::cv_status::timeout) return;
  }
}

/// Ends the launches and asks the program's first thread where it is.
void serve() {
  const OwnThread own;
  sigset_t all{};
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  while (::sem_wait(&timeout().asked) != 0) {
  }
  {
    const base::Lock lock(launches().mutex);
    launches().time_over = true;
  }
  engine::end_time_of_all();
  await_reports();
  ::syscall(SYS_tgkill, getpid(), getpid(), SIGXCPU);
  std::this_thread::sleep_for(kTimeForPlace);
  end_process();
}

[[noreturn]] void show_place(void* context) {
  timeout().interrupted_at = base::instruction_of(*static_cast<const ucontext_t*>(context));
  timeout().callers_found = ::backtrace(timeout().callers.data(), static_cast<int>(timeout().callers.size()));
  // Symbols take more stack than a thread of a kernel has.
  engine::run_on_large_stack(report_interrupted);
  end_process();
}

void on_asked(int signal, siginfo_t* info, void* context) {
  // A child made by fork() has the handler and not the thread: the signal does what it does to other programs.
  if (timeout().served.load() != getpid()) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  int nobody = 0;
  if (timeout().asked_by.compare_exchange_strong(nobody, signal)) {
    ::sem_post(&timeout().asked);
  } else if (signal == SIGXCPU && info->si_code == SI_TKILL && info->si_pid == getpid()) {
    show_place(context);
  }
}

}  // namespace

void install_timeout_report() {
  // The first call loads a library.
  timeout().callers_found = ::backtrace(timeout().callers.data(), 1);
  ::sem_init(&timeout().asked, 0, 0);
  engine::expect_end_of_time();
  timeout().served.store(getpid());
  // A thread, and not a stack for the one that the signal has come to: that may hold what the reports need. No other
  // thread is sure to be there when the signal comes, and a handler cannot start one.
  try {
    std::thread(serve).detach();
  } catch (const std::system_error&) {
    return;  // no thread is to be had: the signals do what they did before
  }
  struct sigaction action {};
  action.sa_sigaction = on_asked;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigfillset(&action.sa_mask);
  for (const int signal : kSignals) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    const bool is_default = (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL;
    if (signal == SIGXCPU || is_default) ::sigaction(signal, &action, nullptr);
  }
}

ReportingLaunch::ReportingLaunch() {
  const base::Lock lock(launches().mutex);
  ++launches().reporting;
}

ReportingLaunch::~ReportingLaunch() {
  {
    const base::Lock lock(launches().mutex);
    --launches().reporting;
    if (!launches().time_over) return;
    launches().ended.notify_all();
  }
  for (;;) ::pause();
}

}  // namespace warpfiber::launches
