// SPDX-License-Identifier: Apache-2.0
//
// Following a recording, and noticing where that is no longer possible.
#include "schedule/replay.hpp"

#include <algorithm>

#include "schedule/in_order.hpp"

namespace warpfiber::schedule {
namespace {

using record::Reason;
using record::ReasonKind;
using record::Thousands;

/// What keeps the recording from being followed at this step, or nothing.
ReasonKind obstacle(const Recording& recording, std::uint64_t step, std::span<const FiberId> runnable) {
  if (step >= recording.size()) return ReasonKind::recording_ends;
  if (recording[step].runnable != fingerprint(runnable)) return ReasonKind::candidates_not_as_recorded;
  if (std::ranges::find(runnable, recording[step].chosen) == runnable.end())
    return ReasonKind::recorded_thread_cannot_run;
  return ReasonKind::none;
}

}  // namespace

std::size_t Replay::pick(std::span<const FiberId> runnable, FiberId current) {
  if (!complaint_.empty()) return next_in_order(runnable, current);
  const std::uint64_t step = steps() - 1;
  const ReasonKind reason = obstacle(recording_, step, runnable);
  if (reason == ReasonKind::none) {
    const auto chosen = std::ranges::find(runnable, recording_[step].chosen);
    return static_cast<std::size_t>(chosen - runnable.begin());
  }
  complaint_ = Reason(ReasonKind::replay_impossible, Thousands{step}, Thousands{recording_.size()}, Reason(reason));
  return next_in_order(runnable, current);
}

}  // namespace warpfiber::schedule
