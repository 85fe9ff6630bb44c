// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber step` as data.
#pragma once

#include <string>
#include <vector>

#include "tools/program/options.hpp"

namespace warpfiber::tools::step {

struct StepOptions : program::ProgramOptions {
  std::string script;                // a file of moves; "-": standard input; empty: the terminal asks for them
  std::string width;                 // columns of what a script shows; empty: 80
  std::vector<std::string> watches;  // expressions
};

/// Reads the arguments of `warpfiber step`.
program::ParsedOptions<StepOptions> parse(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::step
