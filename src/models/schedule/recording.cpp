// SPDX-License-Identifier: Apache-2.0
// Fingerprints, comparison and the file format: a first line with the version, then "<fingerprint, hexadecimal> <id>".
#include "schedule/recording.hpp"

#include <algorithm>
#include <istream>
#include <ostream>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/text.hpp"
#include "schedule/policies.hpp"

namespace warpfiber::schedule {
namespace {

using record::Quantity;
using record::Reason;
using record::ReasonKind;
using record::Thousands;

constexpr std::string_view kFirstLine = "warpfiber-schedule 1";

std::optional<Decision> parse_decision(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto runnable = base::parse_number(line.substr(0, space), 16);
  const auto chosen = base::parse_number(line.substr(space + 1));
  if (!runnable || !chosen) return std::nullopt;
  return Decision{*runnable, *chosen};
}

Reason describe(std::uint64_t step, const Decision& first, const Decision& second) {
  if (first.runnable != second.runnable) return Reason(ReasonKind::candidates_differ, Thousands{step});
  return Reason(ReasonKind::choices_differ, Thousands{step}, second.chosen, first.chosen);
}

}  // namespace

std::uint64_t fingerprint(std::span<const FiberId> runnable) {
  std::uint64_t sum = 0;
  for (const FiberId id : runnable) sum += base::mix(runnable.size(), id);
  return sum;
}

Switches switches_of(const Recording& recording, std::uint64_t launch) {
  Switches switches;
  for (std::size_t step = 0; step < recording.size(); ++step) {
    if (!recording[step].usual) switches.push_back({launch, step + 1, recording[step].chosen});
  }
  return switches;
}

std::optional<Difference> first_difference(const Recording& first, const Recording& second) {
  const auto [a, b] = std::ranges::mismatch(first, second);
  const auto step = static_cast<std::uint64_t>(a - first.begin());
  if (a == first.end() && b == second.end()) return std::nullopt;
  if (a == first.end() || b == second.end())
    return Difference{
        step, Reason(ReasonKind::numbers_of_steps_differ, Quantity{first.size(), "step"}, Thousands{second.size()})};
  return Difference{step, describe(step, *a, *b)};
}

void write_recording(std::ostream& out, const Recording& recording) {
  out << kFirstLine << '\n';
  for (const Decision& decision : recording) out << fmt::format("{:016x} {}\n", decision.runnable, decision.chosen);
}

base::Result<Recording, Reason> read_recording(std::istream& in, std::string_view name) {
  std::string line;
  if (!std::getline(in, line) || line != kFirstLine)
    return Reason(ReasonKind::recording_without_version, name, kFirstLine);
  Recording recording;
  while (std::getline(in, line)) {
    const std::optional<Decision> decision = parse_decision(line);
    if (!decision)
      return Reason(ReasonKind::recorded_step_malformed, name, recording.size() + 2, line.substr(0, 40),
                    fmt::format("{:016x} 5", fingerprint({})));
    recording.push_back(*decision);
  }
  return recording;
}

// Following a recording, and noticing where that is no longer possible.

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
