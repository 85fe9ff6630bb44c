// SPDX-License-Identifier: Apache-2.0
// What subcommands that build a program have in common. The command line: options of its own, nvcc's, and behind "--"
// the program's arguments; and the start of programs that are built to be run by gdb.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tools/manual/manual.hpp"
#include "tools/nvcc/options.hpp"
#include "tools/options/parser.hpp"

namespace warpfiber::tools::program {

/// What these subcommands have in common; the options of each are derived from it.
struct ProgramOptions {
  bool help = false;
  bool version = false;

  nvcc::NvccOptions program;           // what to build
  std::vector<std::string> words;      // those that say so, for the command that does the same once more
  std::vector<std::string> arguments;  // the program's, from behind "--"

  bool names_files() const { return !program.inputs.empty() || !program.linking.empty(); }
};

template <class Options>
struct ParsedOptions {
  Options options;
  std::string error;  // empty: the command line is in order
  bool ok() const { return error.empty(); }
  bool is_to_run() const { return ok() && !options.help && !options.version; }
};

/// Reads the words behind the subcommand by its table in the manual. What is neither its option nor nvcc's is an error
/// that names it.
template <class Options>
ParsedOptions<Options> parse_program(std::string_view subcommand,
                                     std::span<const OptionReader<std::type_identity_t<Options>>> readers,
                                     const std::vector<std::string>& arguments) {
  ParsedOptions<Options> parsed;
  Options& options = parsed.options;
  OtherWords others = read_options(manual::find_subcommand(subcommand)->options, readers, arguments, options);
  options.help = others.help;
  options.version = others.version;
  options.words = std::move(others.repeated);
  options.arguments = std::move(others.arguments);
  parsed.error = std::move(others.error);
  if (!parsed.is_to_run()) return parsed;
  nvcc::ParsedNvccOptions program = nvcc::parse_options(others.words);
  options.program = std::move(program.options);
  // A file of options may ask for it, too.
  options.help = options.program.goal == nvcc::Goal::help;
  options.version = options.program.goal == nvcc::Goal::version;
  parsed.error = manual::with_suggestion(program.error, program.unknown, subcommand);
  return parsed;
}

/// Prints what is wrong, the help or the version, and returns the exit status; nothing where a program is to be run.
std::optional<int> answer_without_program(std::string_view subcommand, const ProgramOptions& options,
                                          const std::string& error);

template <class Options>
std::optional<int> answer_without_program(std::string_view subcommand, const ParsedOptions<Options>& parsed) {
  return answer_without_program(subcommand, parsed.options, parsed.error);
}

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
