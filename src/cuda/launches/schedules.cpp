// SPDX-License-Identifier: Apache-2.0
//
// Writes launches in the order of their numbers, although they end in any order: what may still move is written again
// behind the part that is settled.
#include "launches/schedules.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "launches/state/launches_state.hpp"
#include "process/reporter.hpp"
#include "process/settings/exploring.hpp"
#include "record/reason.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::launches {

/// The file as far as it is written. A forked child keeps out of its parent's.
class SchedulesFile {
 public:
  void add(std::uint64_t launch, std::string text) {
    const base::Lock lock(mutex_);
    if (getpid() != owner_ || complained_) return;
    late_[launch] = std::move(text);
    file_.seekp(settled_);
    for (const auto& one : late_) file_ << one.second;
    file_.flush();
    settle();
    if (file_) return;
    complained_ = true;
    process::print_line({record::ReasonKind::file_not_written, "WARPFIBER_SCHEDULE",
                         process::explore_settings().schedule, std::strerror(errno)});
  }

 private:
  /// Launches that nothing comes before any more. One that was refused or cancelled never comes.
  void settle() WARPFIBER_REQUIRES(mutex_) {
    constexpr std::size_t kMostLate = 256;
    while (!late_.empty() && (late_.begin()->first <= next_ || late_.size() > kMostLate)) {
      next_ = std::max(next_, late_.begin()->first + 1);
      settled_ += static_cast<std::streamoff>(late_.begin()->second.size());
      late_.erase(late_.begin());
    }
  }

  static std::string first_line() { return std::string(schedule::kSwitchesFirstLine) + '\n'; }

  base::Mutex mutex_;
  const pid_t owner_ = getpid();
  std::ofstream file_ WARPFIBER_GUARDED_BY(mutex_){process::explore_settings().schedule,
                                                   std::ios::binary | std::ios::trunc};
  std::map<std::uint64_t, std::string> late_
      WARPFIBER_GUARDED_BY(mutex_);  // what the file has of launches before which others may come
  std::uint64_t next_ WARPFIBER_GUARDED_BY(mutex_) = 1;
  std::streamoff settled_ WARPFIBER_GUARDED_BY(mutex_) = (file_ << first_line()).tellp();
  bool complained_ WARPFIBER_GUARDED_BY(mutex_) = false;
};

namespace {

SchedulesFile& schedules() {
  return LaunchesState::of_process().schedules.get();
}

}  // namespace

bool keeps_schedules() {
  return !process::explore_settings().schedule.empty();
}

std::uint64_t next_launch() {
  return LaunchesState::of_process().numbered.fetch_add(1) + 1;
}

void keep_schedule(const schedule::Recording& decisions, std::uint64_t launch, std::uint64_t ended_by_time) {
  std::ostringstream text;
  schedule::write_switches(text, schedule::switches_of(decisions, launch));
  if (ended_by_time != 0)
    text << report::reason_text(
                {record::ReasonKind::launch_turns_ended_by_time, launch, record::Quantity{ended_by_time, "turn"}})
         << '\n';
  schedules().add(launch, text.str());
}

}  // namespace warpfiber::launches
