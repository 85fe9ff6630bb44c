// SPDX-License-Identifier: Apache-2.0
// What each option of the manual's table does, and the run of the subcommand.
#include "tools/gdb.hpp"

#include <cstdlib>

#include "base/environment.hpp"
#include "tools/manual/options.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/options/output.hpp"
#include "tools/program/program.hpp"

namespace warpfiber::tools::gdb {
namespace {

constexpr OptionReader<GdbOptions> kReaders[] = {
    {"--commands", read_text<&GdbOptions::commands>},
};
static_assert(have_readers(manual::kGdbOptions, kReaders));

}  // namespace

program::ParsedOptions<GdbOptions> parse(const std::vector<std::string>& arguments) {
  auto parsed = program::parse_program<GdbOptions>("gdb", kReaders, arguments);
  if (!parsed.is_to_run()) return parsed;
  parsed.options.program.device_debug = true;
  if (parsed.options.program.inputs.empty()) parsed.error = "nothing to debug: name CUDA files";
  return parsed;
}

// One worker runs the blocks, so that each run is the same and no other block runs while one is stepped.

namespace {

constexpr int kFailed = 2;

std::vector<std::string> command_of(const GdbOptions& options, const std::string& script) {
  std::vector<std::string> command{
      program::gdb_program(), "-q", "-iex", "add-auto-load-safe-path " + script, "-x", script};
  if (!options.commands.empty()) command.insert(command.end(), {"-x", options.commands});
  command.emplace_back("--args");
  return command;
}

}  // namespace

int gdb(const std::vector<std::string>& arguments) {
  const auto parsed = parse(arguments);
  if (const auto answered = program::answer_without_program("gdb", parsed)) return *answered;
  const nvcc::Toolchain toolchain = nvcc::find_toolchain(base::own_program());
  if (!toolchain.ok()) {
    say("gdb", toolchain.error);
    return kFailed;
  }
  std::vector<std::string> variables;
  if (std::getenv("WARPFIBER_WORKERS") == nullptr) variables.emplace_back("WARPFIBER_WORKERS=1");
  return program::debug("gdb", parsed.options,
                        {command_of(parsed.options, toolchain.debugger), variables,
                         "needs gdb 13 or later; GDB names another than the one on the path"});
}

}  // namespace warpfiber::tools::gdb
