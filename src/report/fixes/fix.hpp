// SPDX-License-Identifier: Apache-2.0
// The explanation and the fix of each race, made from what the checker knows of it and from the source. Called once the
// places of the findings have lines (locate.hpp).
#pragma once

#include <span>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Sets `why` and `fix` of those findings of one launch that are races with an order that is missing (Finding::order).
/// Races that one barrier would end get that barrier.
void explain_races(std::span<record::Finding> findings, SourceText& sources);

}  // namespace warpfiber::report
