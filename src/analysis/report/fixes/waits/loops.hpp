// SPDX-License-Identifier: Apache-2.0
// Loops around the lines where threads wait, and which others are behind them.
#pragma once

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Adds to what is said of the parties of a launch that cannot go on, or of a barrier that some threads leave out, the
/// loop that they wait in, or that they are behind.
void explain_loops(record::Finding& finding, SourceText& sources);

}  // namespace warpfiber::report
