// SPDX-License-Identifier: Apache-2.0
// The explanation and the fix of each race, made from what the checker knows of it and from the source. Called once the
// places of the findings have lines (locate.hpp).
#pragma once

#include <span>
#include <vector>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Sets `why` and `fix` of those findings of one launch that are races with an order that is missing (Finding::order).
/// Races that one barrier would end get that barrier.
void explain_races(std::span<record::Finding> findings, SourceText& sources);

/// Makes one finding of the races of one launch that have the same fix: one missing barrier shows at every array that
/// is accessed around it. The accesses of the others follow as further pairs of parties.
void fold_races(std::vector<record::Finding>& findings);

/// Leaves out barriers that threads missed, or wait at for ever, because of a race that is among the findings; the race
/// says so.
void fold_divergence(std::vector<record::Finding>& findings, SourceText& sources);

}  // namespace warpfiber::report
