// SPDX-License-Identifier: Apache-2.0
//
// Closes the findings log in a handler of exit(), and sets the exit code after the static objects of the program.
// Replaces exit() and quick_exit() of the C library for kernels that call them.
#include "runtime/process_end.hpp"

#include <warpfiber/testing/running_test.h>

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <optional>
#include <utility>

#include "base/forking.hpp"
#include "engine/run.hpp"
#include "launches/execute.hpp"
#include "launches/host/host_threads.hpp"
#include "launches/observing/observers.hpp"
#include "launches/observing/timeout_report.hpp"
#include "launches/observing/tracing.hpp"
#include "process/findings/findings_log.hpp"
#include "process/other_runtimes.hpp"
#include "process/reporter.hpp"
#include "process/settings/waiting.hpp"
#include "record/diagnosis.hpp"
#include "runtime/reset.hpp"
#include "runtime/state/runtime_state.hpp"
#include "streams/launched_work.hpp"
#include "streams/state/streams_state.hpp"

namespace warpfiber::runtime {
namespace {

[[noreturn]] void leave_process(int status) {
  for (;;) ::syscall(SYS_exit_group, status);
}

/// Calls `end` when the process ends, with its exit code, as far as the C library passes it on.
template <void (*end)(int exit_code)>
void at_exit() {
#ifdef __GLIBC__
  on_exit([](int exit_code, void*) { end(exit_code); }, nullptr);
#else
  std::atexit([] { end(0); });
#endif
}

/// The end of a process has nobody to catch anything.
template <class Work>
void unless_out_of_memory(Work&& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    process::print_without_memory(record::ReasonKind::no_memory_to_report);
  }
}

void close_log(int exit_code) {
  if (base::is_forked_child()) return;
  unless_out_of_memory([exit_code] {
    launches::report_before_exit();
    streams::judge_launched_work();
    launches::write_profile();
    launches::write_trace();
    process::settle_findings(exit_code);
    launches::write_report();
    launches::end_steps();
  });
}

/// After destructors of static objects, which may free memory; once.
void report_leaks_at_end() {
  if (process::has_own_findings() && !RuntimeState::of_process().leaks_are_reported.exchange(true))
    report_leaks(record::Leak::End::process);
}

/// Runs after the handlers of exit() and the static objects of the program, which may cause findings as well.
__attribute__((destructor(101))) void finish_process() {
  if (!process::has_findings_log()) return;
  unless_out_of_memory(report_leaks_at_end);
  const std::optional<int> exit_code = process::exit_code_of_findings();
  if (!exit_code.has_value()) return;
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  _exit(*exit_code);
}

}  // namespace

int close_findings_log(int status) {
  if (!process::has_findings_log()) return status;
  close_log(status);
  report_leaks_at_end();
  return process::exit_code_of_findings().value_or(status);
}

void leave_without_handlers(int status) {
  if (status == 0 && streams::is_user_of_cuda() && !launches::ends_in_kernel()) {
    streams::judge_launched_work();
    status = close_findings_log(status);
  }
  leave_process(status);
}

void leave_dead_program(record::Finding finding) {
  // Kernels behind the host functions do not run for the same reason.
  streams::StreamsState::of_process().unfinished_is_reported.store(true);
  process::log_finding(std::move(finding));
  const int status = close_findings_log(EXIT_SUCCESS);
  // A thread that sleeps may hold the lock of a stream.
  if (::ftrylockfile(stdout) == 0) {
    std::fflush(stdout);
    ::funlockfile(stdout);
  }
  leave_process(status != EXIT_SUCCESS ? status : EXIT_FAILURE);
}

namespace {

void prepare_process_end() {
  at_exit<close_log>();
  if (process::wait_settings().standing) launches::install_timeout_report();
}

// Of a library that Python loads, only the plugin for pytest asks for these functions, by name.
[[gnu::used]] const auto kKeptForListeners = &warpfiber_take_test_errors;

// Before the program's static objects, which may launch kernels.
[[gnu::constructor(101)]] void register_process_end() {
  process::prepare_at_first_log(prepare_process_end);
  process::report_other_runtimes();
}

}  // namespace

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
  if (warpfiber::launches::ends_in_kernel()) warpfiber::engine::exit_as_host(exit_of_library, status);
  exit_of_library(status);
  warpfiber::runtime::leave_process(status);
}

// In place of the C library's, which gives handlers no exit code and takes none from them.
extern "C" __attribute__((visibility("default"))) void quick_exit(int status) noexcept {
  using namespace warpfiber::runtime;
  if (warpfiber::launches::ends_in_kernel()) warpfiber::engine::exit_as_host(quick_exit_of_library, status);
  warpfiber::streams::judge_launched_work();
  quick_exit_of_library(close_findings_log(status));
  leave_process(status);
}
