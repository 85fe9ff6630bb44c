// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber nvcc` and `warpfiber run`: they build with child processes, whose messages go straight to the terminal.
#pragma once

#include <string>
#include <vector>

#include "tools/nvcc/options.hpp"

namespace warpfiber::tools::nvcc {

inline constexpr int kWrongUsage = 2;  // what both functions return where the command line makes no sense

/// `warpfiber nvcc <nvcc's arguments>`. The exit status: 0, 1 where a step failed, or 2 for a command line that makes
/// no sense.
int nvcc(const std::vector<std::string>& arguments);

/// Builds what nvcc's arguments say as a program: where -o says, else in `scratch`. `command` is the subcommand's name
/// for complaints. The exit status, as of nvcc; the program's path, as it is run, goes to `program`.
int build_program(NvccOptions options, const std::string& scratch, const char* command, std::string& program);

}  // namespace warpfiber::tools::nvcc
