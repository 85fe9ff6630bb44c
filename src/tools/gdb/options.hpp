// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber gdb` as data.
#pragma once

#include <string>
#include <vector>

#include "tools/program/options.hpp"

namespace warpfiber::tools::gdb {

struct GdbOptions : program::ProgramOptions {
  std::string commands;  // a file of gdb's commands; empty: none
};

/// Reads the arguments of `warpfiber gdb`.
program::ParsedOptions<GdbOptions> parse(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::gdb
