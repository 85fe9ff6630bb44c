// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber gdb` as data: its own options, and nvcc's for the program that it builds.
#pragma once

#include <string>
#include <vector>

#include "tools/nvcc/options.hpp"

namespace warpfiber::tools::gdb {

struct GdbOptions {
  std::string commands;  // a file of gdb's commands; empty: none
  bool help = false;
  bool version = false;

  nvcc::NvccOptions program;           // what to build
  std::vector<std::string> arguments;  // the program's, from behind "--"
};

struct ParsedGdbOptions {
  GdbOptions options;
  std::string error;  // empty: the command line is in order
  bool ok() const { return error.empty(); }
};

/// Reads the arguments of `warpfiber gdb`. What is neither its option nor nvcc's is an error that names it.
ParsedGdbOptions parse(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::gdb
