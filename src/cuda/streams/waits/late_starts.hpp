// SPDX-License-Identifier: Apache-2.0
// Operations that start late, so that missing synchronisation shows: when the host synchronises with them, or after a
// while. Any thread may call.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

#include "base/random.hpp"
#include "process/settings/launching.hpp"
#include "process/settings/waiting.hpp"

namespace warpfiber::streams {

// A program that only looks at memory never synchronises; what is held for it starts when it has run so long without a
// request, or has slept kLongestSleep. Time of the clock alone would let a busy machine decide what starts.
constexpr auto kLongestHold = std::chrono::milliseconds(50);
constexpr auto kLongestSleep = std::chrono::seconds(1);

/// How long the program has made no request.
class Silence {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  /// Whether what is held starts: `passed` on the clock, with `run` of the processors' time for the process.
  static bool is_long(Nanoseconds passed, Nanoseconds run) { return run >= kLongestHold || passed >= kLongestSleep; }

  bool is_long() const { return is_long(now(CLOCK_MONOTONIC) - began_, now(CLOCK_PROCESS_CPUTIME_ID) - ran_); }

 private:
  static Nanoseconds now(clockid_t clock) {
    std::timespec time{};
    clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
  }

  Nanoseconds began_ = now(CLOCK_MONOTONIC);
  Nanoseconds ran_ = now(CLOCK_PROCESS_CPUTIME_ID);
};

/// Whether the operation of that number is one of those.
inline bool starts_late(std::uint64_t number) {
  if (process::wait_settings().late) return true;
  const schedule::PolicyOptions& policy = process::launch_settings().policy;
  using enum schedule::PolicyKind;  // a replay is of a schedule that explores, with its seed
  const auto is = [&policy](schedule::PolicyKind kind) { return policy.kind == kind; };
  return (is(random) || is(delays) || is(replay)) && base::Random(base::mix(policy.seed, number)).below(2) == 0;
}

}  // namespace warpfiber::streams
