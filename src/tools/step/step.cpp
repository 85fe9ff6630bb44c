// SPDX-License-Identifier: Apache-2.0
//
// One worker runs the blocks, so that a run is the same each time and a position names one state of it.
#include "tools/step/step.hpp"

#include <filesystem>

#include "base/environment.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/options/output.hpp"
#include "tools/program/debugger.hpp"
#include "tools/step/options.hpp"

namespace warpfiber::tools::step {
namespace {

constexpr int kFailed = 2;

/// Python, the stepper and its arguments, up to the program. `commands` is the file of commands for gdb; the stepper is
/// in a folder next to its own.
std::vector<std::string> command_of(const StepOptions& options, const std::filesystem::path& commands) {
  const std::string stepper = (commands.parent_path().parent_path() / "step" / "warpfiber-step.py").string();
  std::vector<std::string> command{"python3",        "-B", stepper, "--gdb", program::gdb_program(), "--commands",
                                   commands.string()};
  if (!options.script.empty()) command.insert(command.end(), {"--script", options.script});
  if (!options.width.empty()) command.insert(command.end(), {"--width", options.width});
  for (const std::string& expression : options.watches) command.push_back("--watch=" + expression);
  command.emplace_back("--");
  return command;
}

}  // namespace

int step(const std::vector<std::string>& arguments) {
  const auto parsed = parse(arguments);
  if (const auto answered = program::answer_without_program("step", parsed)) return *answered;
  const nvcc::Toolchain toolchain = nvcc::find_toolchain(base::own_program());
  if (!toolchain.ok()) {
    say("step", toolchain.error);
    return kFailed;
  }
  return program::debug(
      "step", parsed.options,
      {command_of(parsed.options, toolchain.debugger),
       {"WARPFIBER_WORKERS=1", "WARPFIBER_COMMAND=" + nvcc::own_command() + " step " + nvcc::quoted(arguments)},
       "needs Python 3.9 or later as python3 on the path"});
}

}  // namespace warpfiber::tools::step
