// SPDX-License-Identifier: Apache-2.0
//
// One worker runs the blocks, so that a run is the same each time and a position names one state of it.
#include "tools/step/step.hpp"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/system/own_program.hpp"
#include "tools/manual/help.hpp"
#include "tools/manual/manual.hpp"
#include "tools/nvcc/driver.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/options/output.hpp"
#include "tools/step/options.hpp"

namespace warpfiber::tools::step {
namespace {

constexpr int kFailed = 2;
constexpr int kCannotRun = 127;

int complain(const std::string& text) {
  say("step", text);
  return kFailed;
}

/// Python, the stepper and its arguments, up to the program. `commands` is the file of commands for gdb; the stepper is
/// in a folder next to its own.
std::vector<std::string> command_of(const StepOptions& options, const std::filesystem::path& commands) {
  const char* named = std::getenv("GDB");
  const std::string stepper = (commands.parent_path().parent_path() / "step" / "warpfiber-step.py").string();
  std::vector<std::string> command{"python3", "-B", stepper, "--gdb", "gdb", "--commands", commands.string()};
  if (named != nullptr && *named != '\0') command[4] = named;
  if (!options.script.empty()) command.insert(command.end(), {"--script", options.script});
  if (!options.width.empty()) command.insert(command.end(), {"--width", options.width});
  for (const std::string& expression : options.watches) command.push_back("--watch=" + expression);
  command.emplace_back("--");
  return command;
}

}  // namespace

int step(const std::vector<std::string>& arguments) {
  const ParsedStepOptions parsed = parse(arguments);
  if (!parsed.ok()) return complain(parsed.error);
  const StepOptions& options = parsed.options;
  if (options.help) return print(manual::help_of("step"));
  if (options.version) return print(manual::version());
  const nvcc::Toolchain toolchain = nvcc::find_toolchain(base::own_program());
  if (!toolchain.ok()) return complain(toolchain.error);
  const nvcc::ScratchFolder scratch;
  if (scratch.path().empty()) return complain(scratch.error());
  std::vector<std::string> command = command_of(options, toolchain.debugger);
  command.emplace_back();
  const int built = nvcc::build_program(options.program, scratch.path(), "step", command.back());
  if (built != 0 || options.program.dry_run) return built;
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  std::vector<std::string> variables{"WARPFIBER_WORKERS=1"};
  variables.push_back("WARPFIBER_COMMAND=" + nvcc::own_command() + " step " + nvcc::quoted(arguments));
  const int status = nvcc::run(command, {.variables = std::move(variables), .is_program = true});
  return status == kCannotRun ? complain("needs Python 3.9 or later as python3 on the path") : status;
}

}  // namespace warpfiber::tools::step
