// SPDX-License-Identifier: Apache-2.0
//
// Where the results of two schedules part. Each schedule is run several times, because programs print times and
// addresses as well: only what is the same in all runs of one schedule, and in all runs of the other, is the schedule's
// doing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tools/check/documents/outcome.hpp"

namespace warpfiber::tools::check {

/// A line of standard output, from 1, as each schedule prints it.
struct LineDifference {
  std::size_t line = 0;
  std::string one{};
  std::string other{};
};

/// A copy that brings other bytes.
struct CopyDifference {
  std::size_t result = 0;                     // index of the copy
  std::optional<std::uint64_t> first_byte{};  // where they part; not known beyond what was kept
};

struct RunDifference {
  std::optional<std::pair<int, int>> status{};
  std::optional<LineDifference> line{};
  bool only_order = false;  // the same lines are printed, in another order
  std::optional<CopyDifference> copy{};

  /// A user of the program sees it.
  bool is_visible() const { return status.has_value() || (line.has_value() && !only_order); }
  bool any() const { return status.has_value() || line.has_value() || copy.has_value(); }
};

/// `one` are runs of one schedule, `other` of another; neither is empty.
RunDifference difference_of(std::span<const RunOutcome> one, std::span<const RunOutcome> other);

}  // namespace warpfiber::tools::check
