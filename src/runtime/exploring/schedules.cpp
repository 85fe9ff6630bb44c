// SPDX-License-Identifier: Apache-2.0
#include "runtime/exploring/schedules.hpp"

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <mutex>

#include "runtime/reporter.hpp"
#include "runtime/session.hpp"

namespace warpfiber::runtime {
namespace {

/// The file as far as it is written. A forked child keeps out of its parent's.
struct Schedules {
  Schedules() : file(session().schedule, std::ios::binary | std::ios::trunc) {
    file << schedule::kSwitchesFirstLine << '\n';
  }

  std::mutex mutex;
  const pid_t owner = getpid();
  std::ofstream file;
  bool complained = false;
};

Schedules& schedules() {
  // Never destroyed: streams may be drained at the very end of the process.
  static Schedules& of_process = *new Schedules;
  return of_process;
}

}  // namespace

bool keeps_schedules() {
  return !session().schedule.empty();
}

std::uint64_t next_launch() {
  static std::atomic<std::uint64_t> launches{0};
  return launches.fetch_add(1) + 1;
}

void keep_schedule(const schedule::Recording& decisions, std::uint64_t launch) {
  Schedules& all = schedules();
  const std::lock_guard lock(all.mutex);
  if (getpid() != all.owner || all.complained) return;
  schedule::write_switches(all.file, schedule::switches_of(decisions, launch));
  all.file.flush();
  if (all.file) return;
  all.complained = true;
  print_report("warpfiber: WARPFIBER_SCHEDULE=" + session().schedule + ": the file cannot be written\n");
}

}  // namespace warpfiber::runtime
