// SPDX-License-Identifier: Apache-2.0
// The explanation of an update that is lost because it is made by a volatile read and a volatile write.
#pragma once

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Sets `why` and `fix` of a finding with MissingOrder::lost_update. Its parties are a write, and another thread's read
/// whose value it then writes.
void explain_lost_update(record::Finding& finding, SourceText& sources);

}  // namespace warpfiber::report
