// SPDX-License-Identifier: Apache-2.0
//
// Starts one child after the other with its own environment and merges their documents. When no run has failed, the
// schedules' results are compared (comparing/nondeterminism.hpp).
#include "tools/check/exploring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "report/catalogue/suppressions.hpp"
#include "report/json.hpp"
#include "report/source_text.hpp"
#include "tools/check/comparing/nondeterminism.hpp"
#include "tools/check/documents/outcome.hpp"
#include "tools/check/shortest.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/repeated_input.hpp"

namespace warpfiber::tools::check {
namespace {

// How often each of two schedules is run before a difference is attributed to them.
constexpr std::size_t kRunsOfASchedule = 3;
// How long the search for a launch that hangs goes on where the program has other errors.
constexpr std::chrono::seconds kMostTimeForHangs{30};
// Schedules that seemed to differ and then did not, because the program prints times, after which nobody looks.
constexpr unsigned kMostDoubts = 4;

/// What a child gets in its environment. It leaves its document in `findings`.
nvcc::SpawnOptions spawn_options_of(const CheckOptions& options, std::optional<std::uint64_t> seed,
                                    const std::string& findings) {
  nvcc::SpawnOptions made;
  const auto set = [&made](const char* name, const std::string& value) {
    made.variables.push_back(fmt::format("WARPFIBER_{}={}", name, value));
  };
  set("FINDINGS", findings);
  // The program ends as it would; this command has an exit code of its own.
  set("EXITCODE", "0");
  set("AGAIN", again(options, seed.has_value() ? &*seed : nullptr));
  set("CHECK", options.strict ? "strict" : "1");
  if (options.leak_check) set("LEAK_CHECK", "1");
  if (options.stop_at_first) set("STOP_AT_FIRST", "1");
  set("COLOUR", has_colour(options) ? "1" : "0");
  if (options.format != Format::text) set("QUIET", "1");
  if (!options.suppressions.empty()) set("SUPPRESSIONS", options.suppressions);
  if (!options.policy.empty()) set("POLICY", options.policy);
  if (!options.convergence.empty()) set("CONVERGENCE", options.convergence);
  if (seed.has_value()) set("SEED", std::to_string(*seed));
  if (options.most_blocks != 0) set("MOST_BLOCKS", std::to_string(options.most_blocks));
  if (options.most_threads != 0) set("MOST_THREADS", std::to_string(options.most_threads));
  made.most_seconds = options.timeout;
  made.is_asked = true;
  made.is_program = true;
  set("STANDING", "1");
  return made;
}

/// Where the processes of one run leave their documents: the program's, and those of others that it starts.
class FindingsFolder {
 public:
  explicit FindingsFolder(const std::string& scratch) : path_(scratch + "/findings") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
  }

  /// For WARPFIBER_FINDINGS.
  std::string pattern() const { return path_ + "/%p.json"; }

  std::vector<std::string> documents() const {
    std::vector<std::string> paths;
    for (const auto& file : std::filesystem::directory_iterator(path_)) {
      if (file.path().extension() == ".json") paths.push_back(file.path().string());
    }
    std::ranges::sort(paths);
    std::vector<std::string> found;
    for (const std::string& path : paths) found.push_back(nvcc::content_of(path));
    return found;
  }

  /// The findings of all processes as one document; null if there is none.
  Json all() const {
    Json merged;
    for (const std::string& text : documents()) {
      Json document = read_document(text);
      if (document.is_discarded()) continue;
      if (merged.is_null()) {
        merged = std::move(document);
      } else {
        for (Json& finding : document["findings"]) merged["findings"].push_back(std::move(finding));
      }
    }
    return merged;
  }

 private:
  const std::string path_;
};

class Exploration {
 public:
  Exploration(const CheckOptions& options, const std::string& program, const std::string& scratch,
              const nvcc::RepeatedInput* input)
      : options_(options), scratch_(scratch), compares_(options.seeds.size() > 1), input_(input) {
    command_.push_back(program);
    command_.insert(command_.end(), options.arguments.begin(), options.arguments.end());
  }

  Explored run() {
    if (options_.seeds.empty()) {
      merge(std::nullopt, true);
      return conclude({});
    }
    for (const std::uint64_t seed : options_.seeds) {
      const bool first = merged_.runs() == 0;
      RunOutcome outcome = merge(seed, first);
      if (merged_.count("error") != 0 && !options_.keep_going && is_enough()) break;
      if (nvcc::stopped_by() != 0) break;
      if (!compares_ || merged_.count("error") != 0) continue;
      if (first) {
        reference_.push_back(std::move(outcome));
      } else {
        compare(std::move(outcome), seed);
      }
    }
    merged_.set_policies(policies_of(options_, merged_.runs()));
    if (merged_.count("error") == 0) {
      if (difference_.has_value()) add(std::move(*difference_));
      return conclude({});
    }
    const bool shortens = compares_ && !options_.keep_going && nvcc::stopped_by() == 0;
    return conclude(shortens ? shorten(merged_, options_, scratch_, silently()) : std::string());
  }

 private:
  /// A launch that hangs shows nothing further. What else is wrong may be so on every schedule, and hide nothing.
  bool is_enough() {
    const auto now = std::chrono::steady_clock::now();
    if (!first_error_.has_value()) first_error_ = now;
    return std::ranges::any_of(merged_.findings(), is_hang) || now - *first_error_ > kMostTimeForHangs;
  }

  Explored conclude(std::string shortest) { return {std::move(merged_), std::move(shortest), out_of_time_}; }

  nvcc::SpawnOptions options_for(std::optional<std::uint64_t> seed, const std::string& findings) const {
    return spawn_options_of(seed.has_value() ? of_seed(options_, *seed) : options_, seed, findings);
  }

  /// One run, the findings of which count.
  RunOutcome merge(std::optional<std::uint64_t> seed, bool shown) {
    const FindingsFolder findings(scratch_);
    nvcc::SpawnOptions spawn_options = options_for(seed, findings.pattern());
    // Files are of the first run that fails, or of the last.
    if (merged_.count("error") == 0)
      std::ranges::move(variables_of(options_.files), std::back_inserter(spawn_options.variables));
    RunOutcome outcome = start(std::move(spawn_options), shown);
    merged_.add(findings.documents(), seed, outcome.status, outcome.signal);
    return outcome;
  }

  RunOutcome start(nvcc::SpawnOptions spawn_options, bool shown) {
    RunOutcome outcome;
    const std::string results = scratch_ + "/results";
    std::filesystem::remove(results);
    if (compares_) {
      spawn_options.variables.push_back("WARPFIBER_RESULTS=" + results);
      spawn_options.output = &outcome.output;
    }
    spawn_options.silent = !shown;
    spawn_options.out_of_time = &out_of_time_;
    spawn_options.ended_by = &outcome.signal;
    outcome.status = nvcc::run(command_, std::move(spawn_options), input_);
    if (compares_) outcome.results = read_results(results);
    return outcome;
  }

  /// Runs the schedule of `seed` until there are enough runs of it.
  void repeat(std::vector<RunOutcome>& runs, std::uint64_t seed) {
    while (runs.size() < kRunsOfASchedule) {
      const std::string again = scratch_ + "/repeated.json";
      runs.push_back(start(options_for(seed, again), false));
    }
  }

  RunSilently silently() {
    return [this](const CheckOptions& options, const std::uint64_t* seed, const std::vector<std::string>& variables) {
      const FindingsFolder findings(scratch_);
      nvcc::SpawnOptions spawn_options =
          spawn_options_of(options, seed == nullptr ? std::nullopt : std::optional(*seed), findings.pattern());
      spawn_options.variables.insert(spawn_options.variables.end(), variables.begin(), variables.end());
      spawn_options.silent = true;
      nvcc::run(command_, std::move(spawn_options), input_);
      return findings.all();
    };
  }

  void compare(RunOutcome outcome, std::uint64_t seed) {
    if (doubts_ == kMostDoubts || outcome.is_same(reference_.front())) return;
    repeat(reference_, options_.seeds.front());
    const bool ends_otherwise = outcome.status != reference_.front().status;
    std::vector<RunOutcome> others;
    others.push_back(std::move(outcome));
    const ScheduleRuns one{options_.seeds.front(), reference_};
    if (!nondeterminism(one, {seed, others}, options_.strict)) return;
    ++differing_;
    const bool is_reported = difference_.has_value() && difference_->severity == record::Severity::error;
    if (is_reported || (difference_.has_value() && !ends_otherwise)) return;
    repeat(others, seed);
    auto found = nondeterminism(one, {seed, others}, options_.strict);
    if (!found.has_value()) {
      ++doubts_;
      return;
    }
    difference_ = std::move(found);
    const std::uint64_t first = options_.seeds.front();
    difference_->again = again(of_seed(options_, first), &first) + "; " + again(of_seed(options_, seed), &seed);
    seed_ = seed;
  }

  void add(record::Finding finding) {
    if (!options_.suppressions.empty()) {
      const auto suppressions = report::read_suppressions(options_.suppressions);
      if (suppressions.ok() && report::is_suppressed(suppressions.value(), finding)) return merged_.add_suppressed();
    }
    report::SourceFiles sources;
    const Json document = Json::parse(report::render_json(std::span(&finding, 1), sources));
    merged_.add_finding(document["findings"][0], seed_, differing_);
  }

  const CheckOptions& options_;
  const std::string& scratch_;
  const bool compares_;
  const nvcc::RepeatedInput* const input_;
  std::vector<std::string> command_;
  Merged merged_;
  std::vector<RunOutcome> reference_;  // runs of the first schedule
  std::optional<std::chrono::steady_clock::time_point> first_error_;
  std::optional<record::Finding> difference_;
  std::uint64_t seed_ = 0;       // with which it was found
  std::uint64_t differing_ = 0;  // runs whose results are others than those of the first
  unsigned doubts_ = 0;
  bool out_of_time_ = false;
};

}  // namespace

Explored explore(const CheckOptions& options, const std::string& program, const std::string& scratch,
                 const nvcc::RepeatedInput* input) {
  const nvcc::ScopedSignalDeferral deferral;
  return Exploration(options, program, scratch, input).run();
}

}  // namespace warpfiber::tools::check
