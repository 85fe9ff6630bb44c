// SPDX-License-Identifier: Apache-2.0
// What each option of the manual's table does, and the run of the subcommand.
#include "tools/run.hpp"

#include <csignal>

#include "tools/manual/options.hpp"
#include "tools/nvcc/driver.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/processes/memory_kills.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::run {
namespace {

constexpr OptionReader<RunOptions> kReaders[] = {
    {"--trace", of_files<read_trace_file>},
    {"--report", of_files<read_report_file>},
    {"--watch", of_files<read_watched>},
    {"--quiet", read_flag<&RunOptions::quiet>},
};
static_assert(have_readers(manual::kRunOptions, kReaders));

}  // namespace

program::ParsedOptions<RunOptions> parse(const std::vector<std::string>& arguments) {
  auto parsed = program::parse_program<RunOptions>("run", kReaders, arguments);
  if (!parsed.is_to_run()) return parsed;
  parsed.error = complaint_about(parsed.options.files);
  // Types of what the expressions name are in debug information.
  if (!parsed.options.files.watch.empty()) parsed.options.program.host_flags.emplace_back("-g");
  return parsed;
}

// The program that was built is gone when the reader repeats the run, so it is given the command that made it.

namespace {

constexpr int kNotBuilt = 1;
constexpr int kFailed = 2;

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
  int signal = 0;
  const int status = nvcc::run(command, {.variables = std::move(variables), .ended_by = &signal, .is_program = true});
  if (nvcc::stopped_by() != 0) return status;
  if (const std::string why = signal == SIGKILL ? kills.note() : std::string(); !why.empty())
    say("run", "the program was ended by signal 9 (Killed)" + why);
  say_what_was_not_checked(options);
  const bool written = are_written("run", options.files);
  return written || status != 0 ? status : kFailed;
}

}  // namespace warpfiber::tools::run
