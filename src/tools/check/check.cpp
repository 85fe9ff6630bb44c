// SPDX-License-Identifier: Apache-2.0
//
// Parses the options, explores the schedules (exploring.hpp), and prints what the first run has not printed. Files in
// other formats are written at the end.
#include "tools/check/check.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "report/catalogue/suppressions.hpp"
#include "tools/check/exploring.hpp"
#include "tools/check/merged.hpp"
#include "tools/check/options.hpp"
#include "tools/check/reporting.hpp"
#include "tools/check/trying.hpp"
#include "tools/nvcc/driver.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/processes/memory_kills.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::check {
namespace {

void say(const std::string& text) {
  tools::say("check", text);
}

int complain(const std::string& text) {
  say(text);
  return CheckStatus::kFailed;
}

/// Whether the first run, the report of which was seen, was killed before it reported the finding: errors that a
/// program may look at are reported when it ends.
bool was_held(const Merged& merged, const Json& finding) {
  const Json& failed = merged.document()["failed_runs"];
  const bool killed = !failed.empty() && failed[0]["run"] == 1 && merged.signal() != 0;
  const std::optional<record::Verdict> verdict = verdict_of(finding);
  return killed && (verdict == record::Verdict::launch_error || verdict == record::Verdict::refused_call);
}

/// What nobody has seen yet: what runs after the first have found, or what the first had no time to report.
void print_later_findings(const Merged& merged, const CheckOptions& options) {
  print_reports("check", merged, options, [&](const Json& finding) {
    const bool is_of_first = options.seeds.empty() || finding["seed"] == options.seeds.front();
    return !is_of_first || was_held(merged, finding);
  });
}

void explain_end(const Explored& explored, const CheckOptions& options, const nvcc::MemoryKills& kills) {
  const Merged& merged = explored.merged;
  const int status = merged.failure();
  if (status == 0) return;
  if (explored.out_of_time) {
    say(fmt::format("the program did not end within {} and was stopped", base::counted(options.timeout, "second")));
    return;
  }
  const Json& failed = merged.document()["failed_runs"];
  const int signal = merged.signal();
  const std::string why = signal == SIGKILL ? kills.note() : std::string();
  const std::string how = signal != 0 ? fmt::format("was ended by signal {} ({}){}", signal, strsignal(signal), why)
                                      : fmt::format("ended with exit code {}", status);
  const std::string which = merged.runs() == 1 ? std::string()
                                               : fmt::format(" in run {} ({} of {} failed)", failed[0]["run"].dump(),
                                                             failed.size(), base::counted(merged.runs(), "run"));
  say("the program " + how + which);
}

bool write_all_files(const Merged& merged, const CheckOptions& options) {
  const std::string name = options.program.inputs.empty() ? options.binary() : options.program.inputs.front();
  const bool written = write_files("check", merged, options, name);
  return (!merged.is_built() || are_written("check", options.files)) && written;
}

/// Who reads only the files learns of it as well.
int conclude_unbuilt(const CheckOptions& options) {
  Merged merged;
  merged.set_unbuilt();
  return write_all_files(merged, options) ? CheckStatus::kNotBuilt : CheckStatus::kFailed;
}

int conclude(Explored explored, const CheckOptions& options, const std::string& scratch,
             const nvcc::RepeatedInput* input, const nvcc::MemoryKills& kills) {
  Merged& merged = explored.merged;
  if (options.format == Format::text) {
    print_later_findings(merged, options);
    print_seeds(merged);
  }
  if (!explored.shortest.empty()) say(explored.shortest);
  if (options.try_fixes && nvcc::stopped_by() == 0) try_fixes(merged, options, scratch, *input);
  print_lines(merged, options);
  explain_end(explored, options, kills);
  if (const std::string unchecked = merged.unchecked(); !unchecked.empty()) say(unchecked);
  summarise("check", merged, explored.out_of_time);
  return write_all_files(merged, options) ? status_of(merged) : CheckStatus::kFailed;
}

}  // namespace

int check(const std::vector<std::string>& arguments) {
  const auto parsed = parse(arguments);
  if (const auto answered = program::answer_without_program("check", parsed)) return *answered;
  const CheckOptions& options = parsed.options;
  if (!options.suppressions.empty()) {
    const auto read = report::read_suppressions(options.suppressions);
    if (!read.ok()) return complain(read.error());
  }
  const nvcc::ScratchFolder scratch;
  if (scratch.path().empty()) return complain(scratch.error());
  std::string program = options.binary();
  if (program.empty()) {
    const int status = nvcc::build_program(options.program, scratch.path(), "check", program);
    if (status != 0 && nvcc::stopped_by() != 0) return status;
    if (status != 0) return status == nvcc::kWrongUsage ? CheckStatus::kFailed : conclude_unbuilt(options);
    if (options.program.dry_run) return 0;
  }
  // A program that runs once has this process's standard input itself.
  std::optional<nvcc::RepeatedInput> input;
  if (options.seeds.size() > 1 || options.try_fixes) input.emplace();
  const nvcc::RepeatedInput* const repeated = input.has_value() ? &*input : nullptr;
  const nvcc::MemoryKills kills;
  return conclude(explore(options, program, scratch.path(), repeated), options, scratch.path(), repeated, kills);
}

}  // namespace warpfiber::tools::check
