// SPDX-License-Identifier: Apache-2.0
// Reads and writes switches as lines of numbers, and walks through them. The usual choice is that of InOrder.
#include "schedule/switches.hpp"

#include <algorithm>
#include <array>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "schedule/policies.hpp"

namespace warpfiber::schedule {
namespace {

using record::Reason;
using record::ReasonKind;

std::optional<ThreadSwitch> parse_switch(std::string_view line) {
  std::array<std::uint64_t, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t end = i + 1 < numbers.size() ? line.find(' ') : line.size();
    if (end == std::string_view::npos) return std::nullopt;
    const auto number = base::parse_number(line.substr(0, end));
    if (!number.has_value()) return std::nullopt;
    numbers[i] = *number;
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return ThreadSwitch{numbers[0], numbers[1], numbers[2]};
}

}  // namespace

std::size_t usual_choice(std::span<const FiberId> runnable, FiberId current, bool yields) {
  const auto same = std::ranges::find(runnable, current);
  if (yields || same == runnable.end()) return next_in_order(runnable, current);
  return static_cast<std::size_t>(same - runnable.begin());
}

void write_switches(std::ostream& out, std::span<const ThreadSwitch> switches) {
  for (const ThreadSwitch& one : switches) out << fmt::format("{} {} {}\n", one.launch, one.step, one.chosen);
}

base::Result<Switches, Reason> read_switches(std::istream& in, std::string_view name) {
  Switches switches;
  std::size_t number = 1;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with('#')) continue;
    const std::optional<ThreadSwitch> one = parse_switch(line);
    if (!one.has_value()) return Reason(ReasonKind::recorded_switch_malformed, name, number, line.substr(0, 40));
    switches.push_back(*one);
  }
  std::ranges::stable_sort(switches, {}, [](const ThreadSwitch& one) { return std::pair(one.launch, one.step); });
  return switches;
}

std::size_t Steered::pick(std::span<const FiberId> runnable, FiberId current) {
  const bool yields = std::exchange(yielded_, base::kNoFiber) == current;
  while (next_ < switches_.size() && switches_[next_].step < steps()) ++next_;
  if (next_ < switches_.size() && switches_[next_].step == steps()) {
    const auto chosen = std::ranges::find(runnable, switches_[next_].chosen);
    if (chosen != runnable.end()) return static_cast<std::size_t>(chosen - runnable.begin());
  }
  return usual_choice(runnable, current, yields);
}

}  // namespace warpfiber::schedule
