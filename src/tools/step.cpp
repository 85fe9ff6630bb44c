// SPDX-License-Identifier: Apache-2.0
// What each option of the manual's table does, and the run of the subcommand.
#include "tools/step.hpp"

#include <cstdint>
#include <filesystem>

#include "base/environment.hpp"
#include "base/text.hpp"
#include "tools/manual/options.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/options/output.hpp"
#include "tools/program/program.hpp"

namespace warpfiber::tools::step {
namespace {

constexpr std::uint64_t kLeastWidth = 60;
constexpr std::uint64_t kMostWidth = 1000;

std::string read_width(StepOptions& to, const std::string& value) {
  const auto number = base::parse_number(value);
  if (!number.has_value() || *number < kLeastWidth || *number > kMostWidth) return "needs a number from 60 to 1000";
  return to.width = value, std::string();
}

std::string read_watch(StepOptions& to, const std::string& value) {
  return to.watches.push_back(value), std::string();
}

constexpr OptionReader<StepOptions> kReaders[] = {
    {"--script", read_text<&StepOptions::script>},
    {"--width", read_width},
    {"--watch", read_watch},
};
static_assert(have_readers(manual::kStepOptions, kReaders));

}  // namespace

program::ParsedOptions<StepOptions> parse(const std::vector<std::string>& arguments) {
  auto parsed = program::parse_program<StepOptions>("step", kReaders, arguments);
  if (!parsed.is_to_run()) return parsed;
  nvcc::NvccOptions& program = parsed.options.program;
  program.device_debug = program.check = program.statements = true;
  if (program.inputs.empty()) parsed.error = "nothing to step through: name CUDA files";
  return parsed;
}

// One worker runs the blocks, so that a run is the same each time and a position names one state of it.

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
