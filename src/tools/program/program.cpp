// SPDX-License-Identifier: Apache-2.0
// What is printed where a command line asks for no program.
#include "tools/program/program.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/text.hpp"
#include "tools/manual/help.hpp"
#include "tools/nvcc/driver.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::program {

std::optional<int> answer_without_program(std::string_view subcommand, const ProgramOptions& options,
                                          const std::string& error) {
  constexpr int kWrongUsage = 2;
  if (!error.empty()) {
    std::fprintf(stderr, "%s: %s\n", manual::full_name(subcommand).c_str(), base::without_controls(error).c_str());
    return kWrongUsage;
  }
  if (options.help) return print(manual::help_of(subcommand));
  if (options.version) return print(manual::version());
  return std::nullopt;
}

// The program is in a temporary folder, which is gone when the debugger has ended.

namespace {

constexpr int kFailed = 2;
constexpr int kCannotRun = 127;

}  // namespace

std::string gdb_program() {
  const char* named = std::getenv("GDB");
  return named != nullptr && *named != '\0' ? named : "gdb";
}

int debug(std::string_view subcommand, const ProgramOptions& options, Debugger debugger) {
  const nvcc::ScratchFolder scratch;
  if (scratch.path().empty()) {
    say(subcommand, scratch.error());
    return kFailed;
  }
  std::vector<std::string>& command = debugger.command;
  command.emplace_back();
  const int built =
      nvcc::build_program(options.program, scratch.path(), std::string(subcommand).c_str(), command.back());
  if (built != 0 || options.program.dry_run) return built;
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  const int status = nvcc::run(command, {.variables = std::move(debugger.variables), .is_program = true});
  if (status != kCannotRun) return status;
  say(subcommand, std::string(debugger.needs));
  return kFailed;
}

}  // namespace warpfiber::tools::program
