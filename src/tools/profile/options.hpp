// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber profile` as data.
#pragma once

#include <string>
#include <vector>

#include "tools/options/run_files.hpp"
#include "tools/program/options.hpp"

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

}  // namespace warpfiber::tools::profile
