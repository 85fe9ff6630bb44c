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
  hung,     // threads wait, or spin, for ever
  misused,  // a collective: threads went on without others
};
/// The end that a finding brings.
Cut cut_by(const record::Finding& finding);

/// `ending`: the violation that finding_of() is asked for.
std::vector<record::Finding> findings_of(const LaunchChecker& checker, const record::LaunchFacts& launch, Cut cut,
                                         const Violation* ending = nullptr);
record::Finding finding_of(const Violation& one, const LaunchChecker& checker, const record::LaunchFacts& launch);
/// The first read of what nobody has written yet, or has without order, as a party to the finding that ended the
/// launch.
std::optional<record::Party> early_read(const LaunchChecker& checker, const record::LaunchFacts& launch);
/// The access that ended the launch, where the checker has refused it; null where it has not.
const Violation* ending_violation(const LaunchChecker& checker);
/// The first access by which a launch has failed that has run to its end; null where there is none.
const Violation* failing_violation(const LaunchChecker& checker);

}  // namespace warpfiber::check
