// SPDX-License-Identifier: Apache-2.0
//
// Following a recording, and noticing where that is no longer possible.
#include "schedule/replay.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "schedule/in_order.hpp"

namespace warpfiber::schedule {
namespace {

/// What keeps the recording from being followed at this step, or nothing.
std::string obstacle(const Recording& recording, std::uint64_t step, std::span<const FiberId> runnable) {
  if (step >= recording.size()) return "the recording ends";
  if (recording[step].runnable != fingerprint(runnable)) return "other threads can run than were recorded";
  if (std::ranges::find(runnable, recording[step].chosen) == runnable.end()) return "the recorded thread cannot run";
  return {};
}

}  // namespace

std::size_t Replay::pick(std::span<const FiberId> runnable, FiberId current) {
  if (!complaint_.empty()) return next_in_order(runnable, current);
  const std::uint64_t step = steps() - 1;
  const std::string reason = obstacle(recording_, step, runnable);
  if (reason.empty()) {
    const auto chosen = std::ranges::find(runnable, recording_[step].chosen);
    return static_cast<std::size_t>(chosen - runnable.begin());
  }
  complaint_ = fmt::format(
      "the recorded schedule fits this run only up to step {} of {}: {}; is it the same program with the same input?",
      base::thousands(step), base::thousands(recording_.size()), reason);
  return next_in_order(runnable, current);
}

}  // namespace warpfiber::schedule
