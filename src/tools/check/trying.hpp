// SPDX-License-Identifier: Apache-2.0
//
// `--try-fixes`: the program is built once more with a fix in it, and run as before. A fix is tried where it is lines
// that are added to a source of the program, or to a header next to one or below it.
#pragma once

#include <string>

#include "tools/check/documents/merged.hpp"
#include "tools/check/options.hpp"
#include "tools/nvcc/processes/repeated_input.hpp"

namespace warpfiber::tools::check {

/// Tries the fixes of the findings, sets "tried" of each, and says what became of it. Files for a while are written to
/// the folder `scratch`. Each run gets all of `input`.
void try_fixes(Merged& merged, const CheckOptions& options, const std::string& scratch,
               const nvcc::RepeatedInput& input);

}  // namespace warpfiber::tools::check
