// SPDX-License-Identifier: Apache-2.0
//
// Relies on a thread-local object of the main thread, which is destroyed first, and replaces exit() and quick_exit()
// of the C library for kernels that call them.
#include "runtime/host/process_end.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "base/room.hpp"
#include "engine/run.hpp"
#include "runtime/findings_log.hpp"
#include "runtime/host/user_call.hpp"
#include "runtime/process/session.hpp"
#include "runtime/streams/host_threads.hpp"
#include "runtime/streams/streams.hpp"

namespace warpfiber::runtime {
namespace {

/// The process that uses CUDA. A child that fork() makes of it has none of its threads.
pid_t user_of_cuda() {
  static const pid_t number = getpid();
  return number;
}

[[noreturn]] void leave_process(int status) {
  for (;;) ::syscall(SYS_exit_group, status);
}

/// Lives as long as a thread that launches. Of the main thread that is until the process ends.
struct LaunchingThread {
  LaunchingThread() : is_main(engine::os_thread_number() == user_of_cuda()) {}
  ~LaunchingThread() {
    // A kernel has called exit(): the log stops its threads first.
    if (is_main && !engine::inside_kernel()) judge_launched_work();
  }
  LaunchingThread(const LaunchingThread&) = delete;
  LaunchingThread& operator=(const LaunchingThread&) = delete;

  const bool is_main;
};

record::Finding unfinished(const LaunchedKernel& kernel, const record::KernelUnfinished& why) {
  record::Finding made;
  made.verdict = record::Verdict::unfinished;
  const UserCall& launch = kernel.call;
  made.launch.kernel = *launch.function != '\0' ? launch.function : "a kernel";
  made.launch.grid = kernel.grid;
  made.launch.block = kernel.block;
  record::Party& party = made.parties.emplace_back();
  party.role = record::Role::call;
  party.who.unit = record::Unit::host;
  party.who.count = 1;
  // Of the call itself, which ends before the instruction that it returns to.
  if (launch.returns_to != nullptr) party.place.instruction = static_cast<const char*>(launch.returns_to) - 1;
  party.what = made.launch.kernel + "<<<>>>";
  made.diagnosis = why;
  return made;
}

record::KernelUnfinished why_unfinished() {
  using Reason = record::KernelUnfinished::Reason;
  if (engine::inside_kernel()) return {.reason = Reason::exit_in_kernel};
  if (inside_host_function()) return {.reason = Reason::exit_in_host_function};
  if (user_call().returns_to != nullptr) return {Reason::exit_in_call, user_call().function};
  return {.reason = Reason::earlier_work};
}

void report_unfinished() {
  static bool reported = false;
  const std::vector<LaunchedKernel> left = unfinished_kernels();
  if (left.empty() || std::exchange(reported, true)) return;
  const record::KernelUnfinished why = why_unfinished();
  // A thread of a kernel has no room for looking up lines.
  base::with_room([&] {
    for (const LaunchedKernel& kernel : left) log_finding(unfinished(kernel, why));
  });
}

}  // namespace

bool judges_at_end() {
  return session().check != Check::off && (has_access_hooks() || session().check_is_asked);
}

void expect_end() {
  if (!judges_at_end()) return;
  // Destroyed after what is made below.
  know_host_thread();
  static thread_local const LaunchingThread self;
  static_cast<void>(self);
}

void judge_launched_work() {
  if (!judges_at_end() || getpid() != user_of_cuda() || streams_have_ended()) return;
  try {
    // Inside a call, which a signal has interrupted, this thread may hold what the work needs.
    if (!engine::inside_kernel() && user_call().returns_to == nullptr) finish_streams();
    report_unfinished();
  } catch (const std::bad_alloc&) {
    std::fputs("warpfiber: the host has no memory left to finish and to check what was launched\n", stderr);
  }
}

void leave_without_handlers(int status) {
  if (status == 0 && getpid() == user_of_cuda() && !engine::inside_kernel()) {
    judge_launched_work();
    status = close_findings_log(status);
  }
  leave_process(status);
}

}  // namespace warpfiber::runtime

namespace {

using Exit = void (*)(int);

/// Of the C library: our own are in front of it.
Exit find_exit(const char* name) {
  const auto found = reinterpret_cast<Exit>(::dlsym(RTLD_NEXT, name));
  return found != nullptr ? found : warpfiber::runtime::leave_process;
}

void exit_of_library(int status) {
  find_exit("exit")(status);
}
void quick_exit_of_library(int status) {
  find_exit("quick_exit")(status);
}

}  // namespace

// In place of the C library's, whose handlers would run as part of the kernel that calls it.
extern "C" __attribute__((visibility("default"))) void exit(int status) noexcept {
  if (warpfiber::engine::inside_kernel()) warpfiber::engine::exit_as_host(exit_of_library, status);
  exit_of_library(status);
  warpfiber::runtime::leave_process(status);
}

// In place of the C library's, which tells handlers no exit code and takes none from them.
extern "C" __attribute__((visibility("default"))) void quick_exit(int status) noexcept {
  using namespace warpfiber::runtime;
  if (warpfiber::engine::inside_kernel()) warpfiber::engine::exit_as_host(quick_exit_of_library, status);
  judge_launched_work();
  quick_exit_of_library(close_findings_log(status));
  leave_process(status);
}
