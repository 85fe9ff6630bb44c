// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber step` as data: its own options, and nvcc's for the program that it builds.
#pragma once

#include <string>
#include <vector>

#include "tools/nvcc/options.hpp"

namespace warpfiber::tools::step {

struct StepOptions {
  std::string script;                // a file of moves; "-": standard input; empty: the terminal asks for them
  std::string width;                 // columns of what a script shows; empty: 80
  std::vector<std::string> watches;  // expressions
  bool help = false;
  bool version = false;

  nvcc::NvccOptions program;           // what to build
  std::vector<std::string> arguments;  // the program's, from behind "--"
};

struct ParsedStepOptions {
  StepOptions options;
  std::string error;  // empty: the command line is in order
  bool ok() const { return error.empty(); }
};

/// Reads the arguments of `warpfiber step`. What is neither its option nor nvcc's is an error that names it.
ParsedStepOptions parse(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::step
