// SPDX-License-Identifier: Apache-2.0
// How the host calls an allocation: by what the line that allocates it stores the address in.
#pragma once

#include <string>
#include <string_view>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// "d_in" of "cudaMalloc((void**)&d_in, bytes)", "parts[i].data" of "cudaMallocAsync(&parts[i].data, ...)"; empty where
/// the line has no such call, or several, or stores the address elsewhere.
std::string allocated_as(std::string_view line);

/// Names the allocations of the finding that have no name. Called once places have lines, and after explain_races(),
/// which looks for names of kernels.
void name_allocations(record::Finding& finding, SourceText& sources);

}  // namespace warpfiber::report
