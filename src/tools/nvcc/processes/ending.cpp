// SPDX-License-Identifier: Apache-2.0
// Sources: sigwaitinfo(2); credentials(7); prctl(2), PR_SET_CHILD_SUBREAPER.
#include "tools/nvcc/processes/ending.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "base/process/service.hpp"

namespace warpfiber::tools::nvcc {
namespace {

constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
// These end a process as well, unless the program has a handler for them.
constexpr int kOfPrograms[] = {SIGUSR1, SIGUSR2, SIGALRM};
constexpr int kPassed[] = {SIGTSTP, SIGCONT, SIGWINCH};
// For children that put their files away when they get a signal.
constexpr std::time_t kSecondsToEnd = 5;

struct SignalState {
  base::Mutex mutex;  // guards what is named with children_mutex()
  Child child WARPFIBER_GUARDED_BY(children_mutex());
  Child concurrent WARPFIBER_GUARDED_BY(children_mutex());
  bool is_deferred WARPFIBER_GUARDED_BY(children_mutex()) = false;
  std::vector<std::string> scratch WARPFIBER_GUARDED_BY(children_mutex());
  std::atomic<int> ended_by = 0;  // the signal
  // Of the first thread, and of its children after fork().
  bool is_watching = false;
  sigset_t mask_of_caller{};
};

/// Never destroyed, because the thread uses it until the process has ended.
SignalState& state() {
  static constinit base::Service<SignalState> made;
  return made.get();
}

bool is_ending(int signal) {
  return std::ranges::find(kEnding, signal) != std::end(kEnding);
}

bool is_of_programs(int signal) {
  return std::ranges::find(kOfPrograms, signal) != std::end(kOfPrograms);
}

void send(const Child& child, int signal) {
  ::kill(child.is_group ? -child.id : child.id, signal);
}

void remove_scratch(const std::vector<std::string>& folders) {
  // The first thread may write or remove a file meanwhile.
  for (const std::string& folder : folders) {
    std::error_code failure;
    do {
      failure.clear();
      std::filesystem::remove_all(folder, failure);
    } while (failure == std::errc::directory_not_empty || failure == std::errc::no_such_file_or_directory);
  }
}

/// Keeps the lock, so that nothing is started any more.
[[noreturn]] void end(const SignalState& of, int signal) WARPFIBER_REQUIRES(children_mutex()) {
  remove_scratch(of.scratch);
  ::_exit(kSignalled + signal);
}

void hand_on(const siginfo_t& got) {
  SignalState& of = state();
  const base::Lock lock(children_mutex());
  const int signal = got.si_signo;
  const Child& child = of.child;
  const bool stops = is_ending(signal) || (is_of_programs(signal) && !child.is_program);
  if (stops && !(child.is_program && is_of_programs(signal))) {
    of.ended_by = signal;
    // What its children leave behind becomes this process's, which can wait for it.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  if (of.concurrent.id > 0) send(of.concurrent, stops ? SIGTERM : signal);
  if (child.id == 0) {
    if (stops && !of.is_deferred) end(of, signal);
  } else if (!child.is_group && got.si_code == SI_KERNEL) {
    // The terminal has sent it to the child as well.
  } else {
    send(child, stops && !child.is_program ? SIGTERM : signal);
  }
  if (signal == SIGTSTP) ::kill(::getpid(), SIGSTOP);
}

void watch(const sigset_t& signals) {
  for (;;) {
    siginfo_t got{};
    if (::sigwaitinfo(&signals, &got) > 0) hand_on(got);
  }
}

/// Signals that the caller has ignored or blocked stay so.
void add_if_wanted(sigset_t& signals, int signal) {
  struct sigaction action {};
  const bool is_ignored = ::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN;
  if (!is_ignored && ::sigismember(&state().mask_of_caller, signal) == 0) ::sigaddset(&signals, signal);
}

/// Waits for what is left of the group, and kills it when that takes too long.
void end_group(const Child& child) {
  sigset_t ended;
  ::sigemptyset(&ended);
  ::sigaddset(&ended, SIGCHLD);
  ::pthread_sigmask(SIG_BLOCK, &ended, nullptr);
  timespec start{};
  ::clock_gettime(CLOCK_MONOTONIC, &start);
  for (;;) {
    const pid_t one = ::waitpid(-child.id, nullptr, WNOHANG);
    if (one < 0 && errno == ECHILD) return;
    if (one != 0) continue;
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const std::time_t left = kSecondsToEnd - (now.tv_sec - start.tv_sec);
    if (left <= 0) send(child, SIGKILL);
    const timespec patience{.tv_sec = std::max<std::time_t>(left, 1), .tv_nsec = 0};
    ::sigtimedwait(&ended, nullptr, &patience);
  }
}

}  // namespace

void hand_on_signals() {
  if (state().is_watching) return;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &state().mask_of_caller);
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : kEnding) add_if_wanted(signals, signal);
  for (const int signal : kOfPrograms) add_if_wanted(signals, signal);
  for (const int signal : kPassed) add_if_wanted(signals, signal);
  // The terminal stops a process together with its children.
  if (::tcgetpgrp(STDIN_FILENO) == ::getpgrp()) ::sigdelset(&signals, SIGTSTP);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  try {
    std::thread(watch, signals).detach();
    state().is_watching = true;
  } catch (const std::system_error&) {  // no thread to be had: a signal ends this process as it ends others
    ::pthread_sigmask(SIG_SETMASK, &state().mask_of_caller, nullptr);
  }
}

ScopedSignalDeferral::ScopedSignalDeferral() {
  const base::Lock lock(children_mutex());
  state().is_deferred = true;
}

ScopedSignalDeferral::~ScopedSignalDeferral() {
  const base::Lock lock(children_mutex());
  state().is_deferred = false;
}

int stopped_by() {
  return state().ended_by;
}

base::Mutex& children_mutex() {
  return state().mutex;
}

SignalsHeld::SignalsHeld() {
  children_mutex().lock();
}

SignalsHeld::~SignalsHeld() {
  children_mutex().unlock();
}

void SignalsHeld::set(const Child& child) {
  state().child = child;
}

void SignalsHeld::set_concurrent(const Child& child) {
  state().concurrent = child;
}

void take_over(const Child& child) {
  SignalsHeld held;
  held.set_concurrent({});
  held.set(child);
}

int reap(const Child& child) {
  siginfo_t ended{};
  while (::waitid(P_PID, static_cast<id_t>(child.id), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  // Its number may be another's once it is waited for.
  SignalsHeld held;
  held.set({});
  // The group keeps its number while its leader is not waited for.
  int status = 0;
  const bool stopped = stopped_by() != 0 && child.is_group;
  while (::waitpid(child.id, &status, 0) < 0 && errno == EINTR) {
  }
  if (stopped) end_group(child);
  return status;
}

void restore_signals() {
  if (state().is_watching) ::sigprocmask(SIG_SETMASK, &state().mask_of_caller, nullptr);
}

bool make_scratch(std::string& pattern) {
  const base::Lock lock(children_mutex());
  if (::mkdtemp(pattern.data()) == nullptr) return false;
  state().scratch.push_back(pattern);
  return true;
}

void drop_scratch(const std::string& path) {
  const base::Lock lock(children_mutex());
  std::erase(state().scratch, path);
}

}  // namespace warpfiber::tools::nvcc
