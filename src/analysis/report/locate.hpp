// SPDX-License-Identifier: Apache-2.0
//
// From the instructions of a finding to places in the user's files. An access that a header of ours or of the system
// makes (an atomic operation, say) is attributed to the user's line that called it; callers become the stack.
// Needs debug information (symbols/symboliser.hpp); without it places stay unknown. Not for a fiber's stack.
#pragma once

#include <string>

#include "record/finding.hpp"
#include "symbols/frame.hpp"

namespace warpfiber::report {

/// Looks up every place of the finding that names an instruction and no line.
void locate(record::Finding& finding);

/// "scale(float*) at scale.cu:7", "scale(float*) in ./app (no line: built without -g)", "unknown code in ./app".
std::string frame_text(const symbols::Frame& frame);

}  // namespace warpfiber::report
