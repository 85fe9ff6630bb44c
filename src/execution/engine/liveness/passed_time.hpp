// SPDX-License-Identifier: Apache-2.0
// The time of a launch's watchdog. On a busy machine less of it is granted to the workers than passes by the clock:
// their OS threads wait for a processor. Threads that compute need the granted time. Belongs to whoever holds the lock
// of Liveness.
#pragma once

#include <time.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpfiber::engine {

/// Nanoseconds since the launch's first look.
struct Moment {
  std::int64_t wall = 0;
  std::int64_t granted = 0;  // in which no worker that has work had to wait for a processor

  friend auto operator<=>(const Moment&, const Moment&) = default;
  Moment operator-(const Moment& other) const { return {wall - other.wall, granted - other.granted}; }
};

class PassedTime {
 public:
  /// Of the time between two looks no more than `longest` counts: the process was stopped, or ran no kernel's code.
  PassedTime(std::int64_t longest, std::size_t workers) : longest_(longest), workers_(workers) {}

  /// A look of a worker at `now`, whose OS thread has waited for processors for `queued` so far.
  void look(std::size_t worker, std::int64_t now, std::int64_t queued);
  /// Time passes up to the last look. `is_awake(worker)`: it has work.
  template <class IsAwake>
  void pass(IsAwake is_awake) {
    double share = 1;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (workers_[i].share < share && is_awake(i)) share = workers_[i].share;
    }
    add(share);
  }
  const Moment& now() const { return now_; }

 private:
  struct Worker {
    std::int64_t looked = 0;
    std::int64_t queued = 0;
    double share = 1;  // of the time before its last look
  };

  void add(double share);

  const std::int64_t longest_;
  std::vector<Worker> workers_;
  std::int64_t passed_up_to_ = 0;
  std::int64_t last_look_ = 0;
  Moment now_{};
};

/// The second number of a line of schedstat: nanoseconds that a thread has waited for a processor (Linux, "Scheduler
/// Statistics"). 0 where there is none.
std::int64_t queued_in(std::string_view schedstat);
/// The calling OS thread's; 0 where /proc cannot be read. Signal handlers may call.
std::int64_t time_queued();

/// The wall's time, which also passes while a thread does not run. In ticks, too: clock_gettime() may be called there.
/// Nanoseconds since some moment; it never goes back.
inline std::int64_t wall_time() {
  constexpr std::int64_t kSecond = 1'000'000'000;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

}  // namespace warpfiber::engine
