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
#include "tools/check/documents/merged.hpp"
#include "tools/check/exploring.hpp"
#include "tools/check/options.hpp"
#include "tools/check/reporting.hpp"
#include "tools/check/shard_file.hpp"
#include "tools/check/trying.hpp"
#include "tools/nvcc/driver.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/processes/memory_kills.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/nvcc/toolchain.hpp"
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

/// Whether the last that is known of the finding's tests is that one of them ran.
bool is_of_running_test(const Merged& merged, const Json& finding) {
  const auto runs = [&merged](const Json& named) {
    return std::ranges::any_of(merged.tests(), [&named](const Json& test) {
      return test["outcome"] == "running" && key_of_test(test) == key_of_test(named);
    });
  };
  return finding.contains("tests") && std::ranges::any_of(finding["tests"], runs);
}

/// Whether the first run, the report of which was seen, was killed before it reported the finding: errors that a
/// program may look at are reported when it ends, those of a test when the test does.
bool was_held(const Merged& merged, const Json& finding) {
  const Json& failed = merged.document()["failed_runs"];
  const bool killed = !failed.empty() && failed[0]["run"] == 1 && merged.signal() != 0;
  const std::optional<record::Verdict> verdict = verdict_of(finding);
  return killed && (verdict == record::Verdict::launch_error || verdict == record::Verdict::refused_call ||
                    is_of_running_test(merged, finding));
}

/// What nobody has seen yet: what runs after the first have found, or what the first had no time to report.
/// `has_shown`: the first has printed its reports.
void print_later_findings(const Merged& merged, const CheckOptions& options, bool has_shown) {
  print_reports("check", merged, options, [&](const Json& finding) {
    const bool is_of_first = options.seeds.empty() || finding["seed"] == options.seeds.front();
    const bool is_of_runs = verdict_of(finding) == record::Verdict::nondeterminism;
    return !has_shown || !is_of_first || is_of_runs || was_held(merged, finding);
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
  const bool written = write_files("check", merged, options, options.name());
  const bool has_run = merged.is_built() && merged.runs() != 0;
  return (!has_run || are_written("check", options.files)) && written;
}

/// Who reads only the files learns of it as well.
int conclude_unbuilt(const CheckOptions& options, shards::StateFile* shard) {
  Merged merged;
  merged.set_unbuilt();
  if (shard != nullptr) merged.set_campaign(shard->campaign(), {shard->progress()});
  return write_all_files(merged, options) ? CheckStatus::kNotBuilt : CheckStatus::kFailed;
}

/// What became of the shard: nothing where it has run its seeds.
std::string shortfall_of(const shards::StateFile* shard, const CheckOptions& options) {
  if (shard == nullptr || !options.shard) return {};
  const auto& [part, all, ran, end] = shard->progress();
  const std::string name = "shard " + shard_text(part);
  const std::string of_seeds =
      fmt::format("{} of {}", base::thousands(ran), base::counted(options.seeds.size(), "seed"));
  if (end == shards::ShardEnd::none)
    return fmt::format("{} was interrupted after {}{}", name, of_seeds,
                       options.json.empty() ? "" : "; the same command goes on");
  if (end == shards::ShardEnd::all) return {};
  return fmt::format("{} has run {}: it stops {}; --keep-going runs all", name, of_seeds,
                     end == shards::ShardEnd::hang ? "at a launch that hangs" : "30 seconds after an error");
}

int conclude(Explored explored, const CheckOptions& options, const std::string& scratch,
             const nvcc::RepeatedInput* input, const nvcc::MemoryKills& kills, const shards::StateFile* shard) {
  Merged& merged = explored.merged;
  if (options.format == Format::text) {
    print_later_findings(merged, options, explored.has_shown || options.seeds.empty());
    print_seeds(merged);
  }
  if (!explored.shortest.empty()) say(explored.shortest);
  if (options.try_fixes && nvcc::stopped_by() == 0) try_fixes(merged, options, scratch, *input);
  print_lines(merged, options);
  explain_end(explored, options, kills);
  const bool has_runs = merged.runs() != 0;
  if (const std::string unchecked = merged.unchecked(); has_runs && !unchecked.empty()) say(unchecked);
  const std::string shortfall = shortfall_of(shard, options);
  if (!shortfall.empty()) say(shortfall);
  summarise("check", merged, explored.out_of_time);
  if (!explored.unsaved.empty()) return complain(explored.unsaved);
  if (!write_all_files(merged, options)) return CheckStatus::kFailed;
  const bool is_interrupted = shard != nullptr && options.shard && shard->progress().end == shards::ShardEnd::none;
  const int status = has_runs ? status_of(merged) : 0;
  return status == 0 && is_interrupted ? CheckStatus::kUnchecked : status;
}

/// The file of a shard that has run already; the others are made of it.
int conclude_known(const shards::StateFile& shard, const CheckOptions& options) {
  say(fmt::format("{}: shard {} has been run; remove the file to run it again", options.json,
                  shard_text(options.shard->shard)));
  const nvcc::MemoryKills kills;
  CheckOptions without_files = options;
  without_files.files = {};
  return conclude({.merged = Merged(shard.known())}, without_files, {}, nullptr, kills, &shard);
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
  if (options.shard) say(shard_line(*options.shard, *options.search));
  std::optional<shards::StateFile> shard;
  if (options.search) shard.emplace(shard_file(options));
  shards::StateFile* const part = shard.has_value() ? &*shard : nullptr;
  if (part != nullptr && !options.program.dry_run) {
    if (const std::string complaint = part->open(Merged().document(), read_shard_document); !complaint.empty())
      return complain(complaint);
    if (part->progress().end != shards::ShardEnd::none) return conclude_known(*part, options);
    if (const std::uint64_t ran = part->progress().ran; ran != 0)
      say(fmt::format("{}: {} have been run, goes on behind them", options.json, base::counted(ran, "seed")));
  }
  const nvcc::ScratchFolder scratch;
  if (scratch.path().empty()) return complain(scratch.error());
  std::string program = options.binary();
  if (program.empty()) {
    const int status = nvcc::build_program(options.program, scratch.path(), "check", program);
    if (status != 0 && nvcc::stopped_by() != 0) return status;
    if (status != 0) return status == nvcc::kWrongUsage ? CheckStatus::kFailed : conclude_unbuilt(options, part);
    if (options.program.dry_run) return 0;
  }
  // A program that runs once has this process's standard input itself.
  std::optional<nvcc::RepeatedInput> input;
  if (options.compares() || options.seeds.size() > 1 || options.try_fixes) input.emplace();
  const nvcc::RepeatedInput* const repeated = input.has_value() ? &*input : nullptr;
  const nvcc::MemoryKills kills;
  return conclude(explore(options, program, scratch.path(), repeated, part), options, scratch.path(), repeated, kills,
                  part);
}

}  // namespace warpfiber::tools::check
