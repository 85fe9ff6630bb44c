// SPDX-License-Identifier: Apache-2.0
//
// Findings as JSON, for scripts and editors: {"findings":[{"id","severity",…,"sites":[{"file","line","role",…}]}]}.
// Keys are a promise: they are added, never renamed. `file` and `line` of a site are null where they are not known;
// other facts that are not known are left out.
#pragma once

#include <span>
#include <string>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// The document, ending in a newline. Text that is not UTF-8 is repaired, not refused.
std::string render_json(std::span<const record::Finding> findings, SourceText& sources);

}  // namespace warpfiber::report
