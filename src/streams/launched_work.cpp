// SPDX-License-Identifier: Apache-2.0
//
// Relies on a part of the main thread, which ends before static objects are destroyed.
#include "streams/launched_work.hpp"

#include <unistd.h>

#include <cstdio>
#include <new>
#include <vector>

#include "engine/run.hpp"
#include "engine/state/large_stack.hpp"
#include "process/findings/findings_log.hpp"
#include "process/reporter.hpp"
#include "process/runtime.hpp"
#include "process/thread_parts.hpp"
#include "process/user_call.hpp"
#include "streams/host_threads.hpp"
#include "streams/streams.hpp"

namespace warpfiber::streams {
namespace {

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
    if (is_main && !engine::inside_kernel()) judge_launched_work();
  }
  LaunchingThread(const LaunchingThread&) = delete;
  LaunchingThread& operator=(const LaunchingThread&) = delete;

  const bool is_main;
};

namespace {

record::Finding unfinished(const LaunchedKernel& kernel, const record::KernelUnfinished& why) {
  record::Finding made;
  made.verdict = record::Verdict::unfinished;
  const process::UserCall& launch = kernel.call;
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
  using Interruption = record::KernelUnfinished::Interruption;
  if (engine::inside_kernel()) return {.interruption = Interruption::exit_in_kernel};
  if (inside_host_function()) return {.interruption = Interruption::exit_in_host_function};
  if (process::user_call().returns_to != nullptr) return {Interruption::exit_in_call, process::user_call().function};
  return {.interruption = Interruption::earlier_work};
}

void report_unfinished() {
  const std::vector<LaunchedKernel> left = unfinished_kernels();
  if (left.empty() || process::Runtime::of_process().unfinished_is_reported.exchange(true)) return;
  const record::KernelUnfinished why = why_unfinished();
  // A thread of a kernel has no room for looking up lines.
  engine::run_on_large_stack([&] {
    for (const LaunchedKernel& kernel : left) process::log_finding(unfinished(kernel, why));
  });
}

}  // namespace

bool is_user_of_cuda() {
  return getpid() == user_of_cuda();
}

void expect_end() {
  if (!process::judges_at_end()) return;
  know_host_thread();
  process::own_part(&process::ThreadParts::launching);
}

void judge_launched_work() {
  if (!process::judges_at_end() || !is_user_of_cuda() || streams_have_ended()) return;
  try {
    // Inside a call, which a signal has interrupted, this thread may hold what the work needs.
    if (!engine::inside_kernel() && process::user_call().returns_to == nullptr) finish_streams();
    report_unfinished();
  } catch (const std::bad_alloc&) {
    process::print_without_memory(record::ReasonKind::no_memory_to_check);
  }
}

}  // namespace warpfiber::streams
