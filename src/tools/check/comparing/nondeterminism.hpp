// SPDX-License-Identifier: Apache-2.0
//
// The finding that a program's results depend on the schedule although no error was found in it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "record/finding.hpp"
#include "tools/check/comparing/difference.hpp"

namespace warpfiber::tools::check {

/// Several runs of one schedule.
struct ScheduleRuns {
  std::uint64_t seed = 0;
  std::span<const RunOutcome> runs{};
};

/// Nothing where what the program shows is the same. Bytes of copies alone count if it prints nothing, or if `strict`:
/// a program that brings rounding or order to the host and shows the same may well mean that. Severity: error where it
/// fails on one schedule and not on the other, else warning, because the order of atomic additions of floating-point
/// numbers, or of elements that are appended, is a cause that many programs live with.
std::optional<record::Finding> nondeterminism(const ScheduleRuns& one, const ScheduleRuns& other, bool strict);

}  // namespace warpfiber::tools::check
