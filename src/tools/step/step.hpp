// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber step`: builds CUDA files so that threads report their statements, and starts the stepper of share/step
// with the program (docs/stepping.md).
#pragma once

#include <string>
#include <vector>

namespace warpfiber::tools::step {

/// `warpfiber step [OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]`. The exit status: 0 when the user has left
/// the stepper or the script has ended; 1 where the program could not be built, 2 for wrong usage, a line of the script
/// that is no move, or where there is no gdb, Python or terminal.
int step(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::step
