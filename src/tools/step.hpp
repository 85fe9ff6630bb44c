// SPDX-License-Identifier: Apache-2.0
// `warpfiber step`: builds CUDA files so that threads report their statements, and starts the stepper of share/step
// with the program (docs/stepping.md); and its command line as data.
#pragma once

#include <string>
#include <vector>

#include "tools/program/program.hpp"

namespace warpfiber::tools::step {

struct StepOptions : program::ProgramOptions {
  std::string script;                // a file of moves; "-": standard input; empty: the terminal asks for them
  std::string width;                 // columns of what a script shows; empty: 80
  std::vector<std::string> watches;  // expressions
};

/// Reads the arguments of `warpfiber step`.
program::ParsedOptions<StepOptions> parse(const std::vector<std::string>& arguments);

/// `warpfiber step [OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]`. The exit status: 0 when the user has left
/// the stepper or the script has ended; 1 where the program could not be built, 2 for wrong usage, a line of the script
/// that is no move, or where there is no gdb, Python or terminal.
int step(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::step
