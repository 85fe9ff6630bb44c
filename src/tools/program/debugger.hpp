// SPDX-License-Identifier: Apache-2.0
//
// Programs that are built to be run by gdb.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/program/options.hpp"

namespace warpfiber::tools::program {

/// What starts a program that has been built.
struct Debugger {
  std::vector<std::string> command;    // up to the program
  std::vector<std::string> variables;  // of its environment
  std::string_view needs;              // what is missing where the command is not found
};

/// gdb, or what the variable GDB names.
std::string gdb_program();

/// Builds the program and runs it in the debugger. The exit status: the debugger's; 1 where the program could not be
/// built; 2 where there is no debugger or no temporary folder.
int debug(std::string_view subcommand, const ProgramOptions& options, Debugger debugger);

}  // namespace warpfiber::tools::program
