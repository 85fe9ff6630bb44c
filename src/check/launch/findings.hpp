// SPDX-License-Identifier: Apache-2.0
// What the checker has seen, as findings. Called when a launch is over, on a stack with room.
#pragma once

#include <optional>
#include <vector>

#include "check/launch/launch_checker.hpp"
#include "record/finding.hpp"

namespace warpfiber::check {

/// How a launch ended before its threads did: what they would have written is missing.
enum class Cut {
  none,
  stopped,  // at what one thread did: a fault, a trap
  stuck,    // threads wait, or spin, for ever
  misused,  // a collective: threads went on without others
};
/// The end that a finding brings.
Cut cut_by(const record::Finding& finding);

std::vector<record::Finding> findings_of(const LaunchChecker& checker, const record::LaunchFacts& launch, Cut cut);
/// The first read of what nobody has written yet, or has without order, as a party to the finding that ended the
/// launch.
std::optional<record::Party> early_read(const LaunchChecker& checker, const record::LaunchFacts& launch);
/// What the checker says of the access that a processor's fault ended the launch at; nothing if it has seen none.
std::optional<record::Finding> finding_of_refused(const LaunchChecker& checker, const record::LaunchFacts& launch);

}  // namespace warpfiber::check
