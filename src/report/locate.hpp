// SPDX-License-Identifier: Apache-2.0
//
// From the instructions of a finding to places in the user's files. An access that a header of ours or of the system
// makes (an atomic operation, say) is attributed to the user's line that called it; callers become the stack.
// Needs debug information, as symbolise.hpp says; without it places stay unknown. Not for a fiber's stack.
#pragma once

#include <span>

#include "record/finding.hpp"
#include "report/symbolise.hpp"

namespace warpfiber::report {

/// Looks up every place of the finding that names an instruction and no line.
void locate(record::Finding& finding, Symboliser& symboliser);

/// The innermost of these frames that is the user's, as a place; unknown if there is none.
record::Place user_place(std::span<const Frame> frames);

/// Whether a frame is neither this library's nor the system's.
bool is_user_frame(const Frame& frame);

}  // namespace warpfiber::report
