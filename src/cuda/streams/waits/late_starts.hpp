// SPDX-License-Identifier: Apache-2.0
// Operations that start late, so that missing synchronisation shows: when somebody synchronises with them, or after a
// while. Any thread may call.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/random.hpp"
#include "process/session.hpp"

namespace warpfiber::streams {

// A program that only looks at memory never synchronises; what is held for it starts when it has been silent so long.
constexpr auto kLongestHold = std::chrono::milliseconds(50);

/// Whether the operation of that number is one of those.
inline bool starts_late(std::uint64_t number) {
  const process::Session& of_process = process::session();
  if (of_process.late) return true;
  using enum schedule::PolicyKind;  // a replay is of a schedule that explores, with its seed
  const auto is = [&of_process](schedule::PolicyKind kind) { return of_process.policy.kind == kind; };
  return (is(random) || is(delays) || is(replay)) &&
         base::Random(base::mix(of_process.policy.seed, number)).below(2) == 0;
}

}  // namespace warpfiber::streams
