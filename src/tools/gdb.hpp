// SPDX-License-Identifier: Apache-2.0
// `warpfiber gdb`: builds CUDA files with -G and starts gdb with the program and Warpfiber's commands
// (docs/debugging.md); and its command line as data.
#pragma once

#include <string>
#include <vector>

#include "tools/program/program.hpp"

namespace warpfiber::tools::gdb {

struct GdbOptions : program::ProgramOptions {
  std::string commands;  // a file of gdb's commands; empty: none
};

/// Reads the arguments of `warpfiber gdb`.
program::ParsedOptions<GdbOptions> parse(const std::vector<std::string>& arguments);

/// `warpfiber gdb [OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]`. The exit status: gdb's; 1 where the
/// program could not be built, 2 for wrong usage or where there is no gdb.
int gdb(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::gdb
