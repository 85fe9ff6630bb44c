// SPDX-License-Identifier: Apache-2.0
//
// One worker runs the blocks, so that each run is the same and no other block runs while one is stepped.
#include "tools/gdb/gdb.hpp"

#include <cstdlib>
#include <filesystem>

#include "base/system/own_program.hpp"
#include "tools/gdb/options.hpp"
#include "tools/manual/help.hpp"
#include "tools/manual/manual.hpp"
#include "tools/nvcc/driver.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::gdb {
namespace {

constexpr int kFailed = 2;
constexpr int kCannotRun = 127;

int complain(const std::string& text) {
  say("gdb", text);
  return kFailed;
}

/// gdb and its arguments, up to the program.
std::vector<std::string> command_of(const GdbOptions& options, const std::string& script) {
  const char* named = std::getenv("GDB");
  std::vector<std::string> command{named != nullptr && *named != '\0' ? named : "gdb",
                                   "-q",
                                   "-iex",
                                   "add-auto-load-safe-path " + script,
                                   "-x",
                                   script};
  if (!options.commands.empty()) command.insert(command.end(), {"-x", options.commands});
  command.emplace_back("--args");
  return command;
}

}  // namespace

int gdb(const std::vector<std::string>& arguments) {
  const ParsedGdbOptions parsed = parse(arguments);
  if (!parsed.ok()) return complain(parsed.error);
  const GdbOptions& options = parsed.options;
  if (options.help) return print(manual::help_of("gdb"));
  if (options.version) return print(manual::version());
  const nvcc::Toolchain toolchain = nvcc::find_toolchain(base::own_program());
  if (!toolchain.ok()) return complain(toolchain.error);
  const nvcc::ScratchFolder scratch;
  if (scratch.path().empty()) return complain(scratch.error());
  std::vector<std::string> command = command_of(options, toolchain.debugger);
  command.emplace_back();
  const int built = nvcc::build_program(options.program, scratch.path(), "gdb", command.back());
  if (built != 0 || options.program.dry_run) return built;
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  std::vector<std::string> variables;
  if (std::getenv("WARPFIBER_WORKERS") == nullptr) variables.emplace_back("WARPFIBER_WORKERS=1");
  const int status = nvcc::run(command, {.variables = std::move(variables), .is_program = true});
  return status == kCannotRun ? complain("needs gdb 13 or later; GDB names another than the one on the path") : status;
}

}  // namespace warpfiber::tools::gdb
