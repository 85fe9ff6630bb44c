// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber run` as data.
#pragma once

#include <string>
#include <vector>

#include "tools/options/run_files.hpp"
#include "tools/program/options.hpp"

namespace warpfiber::tools::run {

struct RunOptions : program::ProgramOptions {
  RunFiles files;
  bool quiet = false;
};

/// Reads the arguments of `warpfiber run`.
program::ParsedOptions<RunOptions> parse(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::run
