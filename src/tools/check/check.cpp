// SPDX-License-Identifier: Apache-2.0
//
// Parses the options, explores the schedules (exploring.hpp), and prints what the first run has not printed. Files in
// other formats are written at the end.
#include "tools/check/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "report/catalogue/suppressions.hpp"
#include "report/paint.hpp"
#include "tools/check/exploring.hpp"
#include "tools/check/junit.hpp"
#include "tools/check/line_formats.hpp"
#include "tools/check/merged.hpp"
#include "tools/check/options.hpp"
#include "tools/check/sarif.hpp"
#include "tools/check/trying.hpp"
#include "tools/nvcc/driver.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/processes/memory_kills.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::check {
namespace {

constexpr int kFound = 1;
constexpr int kFailed = 2;  // the command itself: wrong usage, or a file that cannot be written
constexpr int kUnchecked = 3;
constexpr int kNotBuilt = 4;
constexpr int kProgramFailed = 5;
constexpr std::size_t kPrinted = 50;  // findings of further runs, and lines of the summary

void say(const std::string& text) {
  tools::say("check", text);
}

int complain(const std::string& text) {
  say(text);
  return kFailed;
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
  const report::Paint paint(has_colour(options));
  std::size_t printed = 0;
  for (const Json& finding : merged.findings()) {
    const bool of_first = options.seeds.empty() || finding["seed"] == options.seeds.front();
    if (of_first && !was_held(merged, finding)) continue;
    if (++printed > kPrinted) continue;
    const std::string text = finding.value("text", "");
    const std::size_t id = std::min(text.find("  "), text.size());
    std::fprintf(stderr, "\n%s%s", paint(text.substr(0, id), report::ink::kError).c_str(), text.c_str() + id);
  }
  if (printed > kPrinted) say(fmt::format("and {} of findings", base::counted(printed - kPrinted, "more kind")));
}

/// Which seed found what first.
void print_seeds(const Merged& merged) {
  if (merged.runs() < 2) return;
  std::fputc('\n', stderr);
  std::size_t printed = 0;
  for (const Json& finding : merged.findings()) {
    if (++printed > kPrinted) break;
    const std::string places = places_of(finding);
    std::fprintf(stderr, "  %s%s%s  first by seed %s, by %s of %s\n", finding["id"].get<std::string>().c_str(),
                 places.empty() ? "" : "  ", places.c_str(), finding["seed"].dump().c_str(),
                 finding["found_in_runs"].dump().c_str(), base::counted(merged.runs(), "run").c_str());
  }
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

/// Where nothing was found: what is to be known of it. A program that returned has finished, whatever it returned.
std::string how_it_failed(const Merged& merged, bool out_of_time) {
  const int status = merged.failure();
  if (status == 0) return {};
  if (out_of_time || merged.signal() != 0) return ", but the program did not finish";
  return fmt::format(", but the program returned {}", status);
}

/// Where nothing was found by several runs: on which schedules it was looked for.
std::string tried(const Merged& merged) {
  if (merged.runs() < 2 || !merged.document().contains("policies")) return {};
  std::vector<std::string> parts;
  for (const auto& [policy, runs] : merged.document()["policies"].items()) {
    const std::string count = base::thousands(runs.get<std::uint64_t>());
    if (policy == "delays") {
      parts.push_back(count + " with delays of single threads");
    } else if (policy == "random random-masks") {
      parts.push_back(count + " random with varied __activemask()");
    } else {
      parts.push_back(count + " " + policy);
    }
  }
  return fmt::format("; schedules: {}", fmt::join(parts, ", "));
}

void summarise(const Merged& merged, bool out_of_time) {
  std::string kinds;
  for (const char* severity : {"error", "warning"}) {
    const std::size_t count = merged.count(severity);
    if (count != 0) kinds += (kinds.empty() ? "" : ", ") + base::counted(count, severity);
  }
  if (const std::size_t notes = merged.count("info"); notes != 0)
    kinds += (kinds.empty() ? "" : ", ") + base::counted(notes, "note");
  const auto suppressed = merged.document()["suppressed"].get<std::uint64_t>();
  const auto unlisted = merged.document()["unlisted"].get<std::uint64_t>();
  // Nothing is found where nothing was looked at.
  if (kinds.empty() && merged.is_empty() && suppressed == 0) return;
  std::string line = (kinds.empty() ? "nothing found" : kinds) + " in " + base::counted(merged.runs(), "run");
  if (kinds.empty()) line += how_it_failed(merged, out_of_time) + tried(merged);
  if (unlisted != 0) line += fmt::format(", and {}", base::counted(unlisted, "more kind"));
  if (suppressed != 0) line += fmt::format(" ({} suppressed)", base::thousands(suppressed));
  say(line);
}

/// All findings, as no run has printed its own.
void print_lines(const Merged& merged, Format format) {
  const std::string folder = std::filesystem::current_path().string();
  const std::string lines = format == Format::gcc ? render_gcc(merged, folder) : render_github(merged, folder);
  std::fputs(lines.c_str(), stderr);
}

bool write_files(const Merged& merged, const CheckOptions& options) {
  const std::string name = options.program.inputs.empty() ? options.binary() : options.program.inputs.front();
  bool written =
      write_file("check", options.json, merged.document().dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
  if (!options.sarif.empty())
    written =
        write_file("check", options.sarif, render_sarif(merged, std::filesystem::current_path().string())) && written;
  if (!options.junit.empty()) written = write_file("check", options.junit, render_junit(merged, name)) && written;
  return are_written("check", options.files) && written;
}

/// Who reads only the files learns of it as well.
int conclude_unbuilt(const CheckOptions& options) {
  Merged merged;
  merged.set_unbuilt();
  return write_files(merged, options) ? kNotBuilt : kFailed;
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
  if (options.format != Format::text) print_lines(merged, options.format);
  explain_end(explored, options, kills);
  const std::string unchecked = merged.unchecked();
  if (!unchecked.empty()) say(unchecked);
  summarise(merged, explored.out_of_time);
  if (!write_files(merged, options)) return kFailed;
  if (merged.count("error") != 0) return kFound;
  if (merged.failure() != 0) return kProgramFailed;
  return unchecked.empty() ? 0 : kUnchecked;
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
    if (status != 0) return status == nvcc::kWrongUsage ? kFailed : conclude_unbuilt(options);
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
