// SPDX-License-Identifier: Apache-2.0
// Which findings of a process are the same defect.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "record/finding.hpp"

namespace warpfiber::process {

/// What makes two findings one: the verdict, how serious it is, and where its parties are, in any order; of a call
/// that is refused also where the function that makes it is called. A party without a
/// known place goes by its kernel, what it does and why. A change reads and writes: of a race at one line it does not
/// matter which of the two came first.
using FindingSite = std::tuple<std::string, unsigned, record::Role>;
using FindingKind = std::tuple<record::Verdict, record::Severity, std::vector<FindingSite>>;

/// Of a finding whose places have been looked up: one kind, or of a race one for each pair of accesses, so that a pair
/// is known whatever it has been reported with. The first is of what leads the report.
std::vector<FindingKind> kinds_of(const record::Finding& finding);

}  // namespace warpfiber::process
