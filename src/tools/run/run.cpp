// SPDX-License-Identifier: Apache-2.0
//
// The program that was built is gone when the reader repeats the run, so it is given the command that made it.
#include "tools/run/run.hpp"

#include <csignal>

#include "tools/nvcc/driver.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/processes/memory_kills.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/options/output.hpp"
#include "tools/run/options.hpp"

namespace warpfiber::tools::run {
namespace {

constexpr int kNotBuilt = 1;
constexpr int kFailed = 2;
constexpr int kKilled = 128 + SIGKILL;  // as a shell says it

int complain(int status, const std::string& text) {
  say("run", text);
  return status;
}

/// That the program ran says less than readers take it for.
void say_what_was_not_checked(const RunOptions& options) {
  if (options.quiet || options.program.check) return;
  std::vector<std::string> words = options.words;
  if (!options.arguments.empty()) words.emplace_back("--");
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  say("run", "memory and races were not checked: " + nvcc::own_command() + " check " + nvcc::quoted(words));
}

}  // namespace

int run(const std::vector<std::string>& arguments) {
  const auto parsed = parse(arguments);
  if (const auto answered = program::answer_without_program("run", parsed)) return *answered;
  const RunOptions& options = parsed.options;
  const nvcc::ScratchFolder scratch;
  if (scratch.path().empty()) return complain(kNotBuilt, scratch.error());
  std::vector<std::string> command(1);
  const int built = nvcc::build_program(options.program, scratch.path(), "run", command.front());
  if (built != 0 || options.program.dry_run) return built;
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  std::vector<std::string> variables = variables_of(options.files);
  variables.push_back("WARPFIBER_COMMAND=" + nvcc::own_command() + " run " + nvcc::quoted(arguments));
  const nvcc::MemoryKills kills;
  const int status = nvcc::run(command, {.variables = std::move(variables), .is_program = true});
  if (nvcc::stopped_by() != 0) return status;
  if (const std::string why = status == kKilled ? kills.note() : std::string(); !why.empty())
    say("run", "the program was ended by signal 9 (Killed)" + why);
  say_what_was_not_checked(options);
  const bool written = are_written("run", options.files);
  return written || status != 0 ? status : kFailed;
}

}  // namespace warpfiber::tools::run
