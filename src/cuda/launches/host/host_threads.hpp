// SPDX-License-Identifier: Apache-2.0
// The OS threads of the process, as far as they may still help a kernel that polls memory: a thread of the program that
// is not blocked in a call of CUDA's can write at any time, and the runtime's own threads cannot.
// Any thread may call.
#pragma once

#include <cstdint>
#include <optional>

#include "record/finding.hpp"

namespace warpfiber::launches {

/// The calling thread of the program uses CUDA. Cheap after the first time.
void know_host_thread();

/// The calling thread belongs to the runtime and runs nothing of the program's for as long as this lives.
class OwnThread {
 public:
  OwnThread();
  ~OwnThread();
  OwnThread(const OwnThread&) = delete;
  OwnThread& operator=(const OwnThread&) = delete;

 private:
  int number_;
};

/// The calling thread, which may belong to the runtime or wait for the device, runs a function of the program for as
/// long as this lives.
class InProgramCode {
 public:
  InProgramCode();
  ~InProgramCode();
  InProgramCode(const InProgramCode&) = delete;
  InProgramCode& operator=(const InProgramCode&) = delete;

 private:
  bool is_own_ = false;
  int blocked_ = 0;
};

/// The calling thread, which uses CUDA, waits for the device or does so no longer.
void host_is_blocked(bool blocked);

/// The process is ending, or this part of its end is over: threads of the program have the watchdog's time, and no
/// more, to change memory that a kernel waits for.
void process_is_ending(bool ending);

/// Threads that sleep from here on count as asleep since now.
void watch_hosts_anew();

/// Whether a thread of the program could still change memory: one that is not blocked in CUDA, until all of these have
/// slept for the watchdog's time. Reads /proc: not for hot paths.
bool hosts_can_help();

/// The nanoseconds that the threads of the program have run, also those that are blocked in CUDA, where each of them
/// sleeps until another one wakes it; nothing where a thread runs, may be woken by the system or by a handler of a
/// signal, or where that cannot be seen. Reads /proc: not for hot paths.
std::optional<std::uint64_t> time_run_by_sleepers();

/// Whether another process could still change memory that kernels poll: some of this process's is in a shared mapping,
/// also one that this process only reads, and the watchdog's time has not passed since this was first asked in a row.
/// Where /proc cannot be read nothing is known to be shared.
bool other_processes_can_help();

/// Whether the calling OS thread, which ends the process or is interrupted by its end, runs a kernel.
bool ends_in_kernel();

/// Of a launch that has been given up: who could have helped, and how long that was waited for; nothing where nobody
/// could.
std::optional<record::OutsideHelp> waited_for_helpers();

}  // namespace warpfiber::launches
