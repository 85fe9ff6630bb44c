// SPDX-License-Identifier: Apache-2.0
//
// Relies on a part of the main thread, which ends before static objects are destroyed.
#include "streams/launched_work.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include "base/forking.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "engine/run.hpp"
#include "engine/state/large_stack.hpp"
#include "launches/execute.hpp"
#include "launches/host/host_threads.hpp"
#include "launches/state/launches_state.hpp"
#include "process/findings/findings_log.hpp"
#include "process/reporter.hpp"
#include "process/settings/reporting.hpp"
#include "process/thread_parts.hpp"
#include "process/user_call.hpp"
#include "record/diagnosis.hpp"
#include "report/operations.hpp"
#include "streams/state/streams_state.hpp"
#include "streams/streams.hpp"

namespace warpfiber::streams {
namespace {

using launches::UnshownOutput;

/// The process that uses CUDA. A child that fork() makes of it has none of its threads.
pid_t user_of_cuda() {
  static const pid_t number = getpid();
  return number;
}

}  // namespace

/// Lives as long as a thread that launches. Of the main thread that is until the process ends.
struct LaunchingThread {
  LaunchingThread() : is_main(engine::os_thread_number() == user_of_cuda()) {}
  ~LaunchingThread() {
    // A kernel has called exit(): the log stops its threads first.
    if (is_main && !launches::ends_in_kernel()) judge_launched_work();
  }
  LaunchingThread(const LaunchingThread&) = delete;
  LaunchingThread& operator=(const LaunchingThread&) = delete;

  const bool is_main;
};

namespace {

record::Finding unfinished(const record::OperationFacts& kernel, const record::KernelUnfinished& why) {
  record::Finding made;
  made.verdict = record::Verdict::unfinished;
  made.launch.kernel = kernel.has_name() ? kernel.call : report::operation_text(kernel);
  made.launch.grid = kernel.grid;
  made.launch.block = kernel.block;
  record::Party& party = made.parties.emplace_back();
  party.role = record::Role::call;
  party.who.unit = record::Unit::host;
  party.who.count = 1;
  // Of the call itself, which ends before the instruction that it returns to.
  if (kernel.returns_to != nullptr) party.place.instruction = static_cast<const char*>(kernel.returns_to) - 1;
  party.what = report::operation_text(kernel);
  made.diagnosis = why;
  return made;
}

/// The same for a kernel that nobody has waited for, which is no error: it has lost its output at most.
record::Finding not_awaited(const record::OperationFacts& kernel) {
  record::Finding made = unfinished(kernel, {.interruption = record::KernelUnfinished::Interruption::nobody_waits});
  made.severity = record::Severity::warning;
  return made;
}

std::vector<UnshownOutput::Launch> unshown_launches() {
  const record::LaunchOrder now = order_of_host();
  UnshownOutput& output = launches::LaunchesState::of_process().unshown_output.get();
  const base::Lock lock(output.mutex);
  std::erase_if(output.launches,
                [&now](const UnshownOutput::Launch& launch) { return !now.is_unordered_with(launch.order.number); });
  return output.launches;
}

void report_unshown() {
  const std::vector<UnshownOutput::Launch> launches = unshown_launches();
  if (launches.empty() || StreamsState::of_process().unshown_is_reported.exchange(true)) return;
  engine::run_on_large_stack([&] {
    for (const UnshownOutput::Launch& launch : launches) {
      process::log_finding(not_awaited({.kind = record::OperationKind::kernel,
                                        .call = launch.kernel.c_str(),
                                        .returns_to = launch.order.returns_to,
                                        .grid = launch.grid,
                                        .block = launch.block}));
    }
  });
}

record::KernelUnfinished why_unfinished() {
  using Interruption = record::KernelUnfinished::Interruption;
  if (launches::ends_in_kernel()) return {.interruption = Interruption::exit_in_kernel};
  if (inside_host_function()) return {.interruption = Interruption::exit_in_host_function};
  if (process::user_call().returns_to != nullptr) return {Interruption::exit_in_call, process::user_call().function};
  return {.interruption = Interruption::earlier_work};
}

void report_unfinished(const record::KernelUnfinished& why) {
  const std::vector<record::OperationFacts> left = unfinished_kernels();
  if (left.empty() || StreamsState::of_process().unfinished_is_reported.exchange(true)) return;
  // A thread of a kernel has no room for looking up lines.
  engine::run_on_large_stack([&] {
    for (const record::OperationFacts& kernel : left) process::log_finding(unfinished(kernel, why));
  });
}

/// In a program that is not checked its end drops kernels, as on a device. Only a reader of `run` wants to know that.
void warn_at_exit(int exit_code, void*) {
  if (exit_code != 0 || base::is_forked_child() || launches::ends_in_kernel() || streams_have_ended()) return;
  try {
    const std::vector<record::OperationFacts> left = unfinished_kernels();
    if (left.empty()) return report_unshown();
    engine::run_on_large_stack([&] {
      for (const record::OperationFacts& kernel : left) process::log_finding(not_awaited(kernel));
    });
  } catch (const std::bad_alloc&) {
    process::print_without_memory(record::ReasonKind::no_memory_to_report);
  }
}

}  // namespace

bool is_user_of_cuda() {
  return getpid() == user_of_cuda();
}

void expect_end() {
  if (!process::judges_at_end()) {
    if (process::report_settings().command.empty()) return;
    [[maybe_unused]] static const int registered = on_exit(warn_at_exit, nullptr);
    return;
  }
  launches::know_host_thread();
  process::own_part(&process::ThreadParts::launching);
}

void judge_launched_work() {
  if (!process::judges_at_end() || !is_user_of_cuda() || streams_have_ended()) return;
  try {
    const record::KernelUnfinished why = why_unfinished();
    // Inside a call, which a signal has interrupted, this thread may hold what the work needs.
    const bool is_in_kernel = why.interruption == record::KernelUnfinished::Interruption::exit_in_kernel;
    if (!is_in_kernel && process::user_call().returns_to == nullptr) finish_streams();
    report_unfinished(why);
    report_unshown();
  } catch (const std::bad_alloc&) {
    process::print_without_memory(record::ReasonKind::no_memory_to_check);
  }
}

std::vector<StreamPos> unfinished_work() {
  std::vector<StreamPos> left = ends_of_streams();
  std::erase_if(left, is_complete);
  return left;
}

void finish_work_after(const std::vector<StreamPos>& earlier) {
  const bool is_inside =
      launches::ends_in_kernel() || inside_host_function() || process::user_call().returns_to != nullptr;
  if (is_inside || !is_user_of_cuda() || streams_have_ended()) return;
  if (!std::ranges::all_of(earlier, is_complete)) return;
  const std::vector<StreamPos> left = unfinished_work();
  if (!left.empty()) finish(left);
}

}  // namespace warpfiber::streams
