// SPDX-License-Identifier: Apache-2.0
// What the source says of a launch that cannot go on: a lock that is held across a barrier, a pipeline whose stages are
// never released, a barrier in memory that has counted wrongly.
#pragma once

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Sets `why` and `fix` of such a finding where its lines show the cause.
void explain_hang(record::Finding& finding, SourceText& sources);

/// The fix for a pipeline that the function around `line` waits for and never releases; empty if that is not so.
std::string missing_release(const record::Place& line, SourceText& sources);

}  // namespace warpfiber::report
