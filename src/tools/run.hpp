// SPDX-License-Identifier: Apache-2.0
// `warpfiber run`: builds CUDA files in a temporary folder and runs the program; and its command line as data.
#pragma once

#include <string>
#include <vector>

#include "tools/options/run_files.hpp"
#include "tools/program/program.hpp"

namespace warpfiber::tools::run {

struct RunOptions : program::ProgramOptions {
  RunFiles files;
  bool quiet = false;
};

/// Reads the arguments of `warpfiber run`.
program::ParsedOptions<RunOptions> parse(const std::vector<std::string>& arguments);

/// `warpfiber run [OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]`. The exit status: the program's, or 1 if it
/// could not be built, or 2 for wrong usage, or if a file that was asked for was not written.
int run(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::run
