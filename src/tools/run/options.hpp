// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber run` as data: its own options, and nvcc's for the program that it builds.
#pragma once

#include <string>
#include <vector>

#include "tools/nvcc/options.hpp"
#include "tools/options/run_files.hpp"

namespace warpfiber::tools::run {

struct RunOptions {
  RunFiles files;
  bool quiet = false;
  bool help = false;
  bool version = false;

  nvcc::NvccOptions program;           // what to build
  std::vector<std::string> words;      // those that say so
  std::vector<std::string> arguments;  // the program's, from behind "--"
};

struct ParsedRunOptions {
  RunOptions options;
  std::string error;  // empty: the command line is in order
  bool ok() const { return error.empty(); }
};

/// Reads the arguments of `warpfiber run`. What is neither its option nor nvcc's is an error that names it.
ParsedRunOptions parse(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::run
