// SPDX-License-Identifier: Apache-2.0
// `warpfiber profile`: builds CUDA files with access hooks, runs the program, and prints exact counters of its kernels
// (docs/counters.md); and its command line as data.
#pragma once

#include <string>
#include <vector>

#include "tools/options/run_files.hpp"
#include "tools/program/program.hpp"

namespace warpfiber::tools::profile {

struct ProfileOptions : program::ProgramOptions {
  std::string json;  // files to write; empty: none
  std::string csv;
  bool source = false;  // print it
  bool check = false;   // races, invalid accesses and the like are looked for, too
  RunFiles files;
};

/// Reads the arguments of `warpfiber profile`.
program::ParsedOptions<ProfileOptions> parse(const std::vector<std::string>& arguments);

/// `warpfiber profile [OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]`. The exit status: the program's; 1
/// where it could not be built, 2 for wrong usage or a file that cannot be written, 3 where nothing was counted.
int profile(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::profile
