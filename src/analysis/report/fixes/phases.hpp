// SPDX-License-Identifier: Apache-2.0
// A barrier in memory between the lines of a race: it lets threads go on before all have arrived that it should order.
#pragma once

#include "record/finding.hpp"
#include "report/fixes/placement.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Sets `why` and `fix` of a race of which such a barrier is in the gap; false if none is.
bool explain_phase(record::Finding& finding, const Gap& gap, SourceText& sources);

/// Sets `why` and `fix` of a race with what is read after the stage of a pipeline was given back; false if none was.
bool explain_release(record::Finding& finding, SourceText& sources);

/// The line of the call that waits for that barrier; 0: there is none.
unsigned phase_between(const record::Finding& finding, const Gap& gap, SourceText& sources);

}  // namespace warpfiber::report
