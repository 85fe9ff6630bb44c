// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber profile` as data: its own options, and nvcc's for the program that it builds.
#pragma once

#include <string>
#include <vector>

#include "tools/nvcc/options.hpp"
#include "tools/options/run_files.hpp"

namespace warpfiber::tools::profile {

struct ProfileOptions {
  std::string json;  // files to write; empty: none
  std::string csv;
  bool source = false;  // print it
  bool check = false;   // races, invalid accesses and the like are looked for, too
  RunFiles files;
  bool help = false;
  bool version = false;

  nvcc::NvccOptions program;           // what to build
  std::vector<std::string> arguments;  // the program's, from behind "--"
};

struct ParsedProfileOptions {
  ProfileOptions options;
  std::string error;  // empty: the command line is in order
  bool ok() const { return error.empty(); }
};

/// Reads the arguments of `warpfiber profile`. What is neither its option nor nvcc's is an error that names it.
ParsedProfileOptions parse(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::profile
