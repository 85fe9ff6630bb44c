// SPDX-License-Identifier: Apache-2.0
// The wall's time, which also passes while a thread does not run. In ticks, too: clock_gettime() may be called there.
#pragma once

#include <time.h>

#include <cstdint>

namespace warpfiber::engine {

/// Nanoseconds since some moment; it never goes back.
inline std::int64_t wall_time() {
  constexpr std::int64_t kSecond = 1'000'000'000;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

}  // namespace warpfiber::engine
