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
#include <span>
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
  // The tests of a GoogleTest program are not divided once more.
  if (options.shard.has_value() && options.shard->variables.find("GTEST_") != std::string::npos)
    made.variables.insert(made.variables.end(), {"GTEST_TOTAL_SHARDS=1", "GTEST_SHARD_INDEX=0"});
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
              const nvcc::RepeatedInput* input, shards::StateFile* shard)
      : options_(options),
        scratch_(scratch),
        compares_(options.compares()),
        input_(input),
        shard_(shard),
        is_part_(options.shard.has_value()),
        first_seed_(options.search.has_value() ? options.search->first
                    : options.seeds.empty()    ? 0
                                               : options.seeds.front()) {
    command_.push_back(program);
    command_.insert(command_.end(), options.arguments.begin(), options.arguments.end());
    if (shard_ != nullptr && !shard_->known().is_null()) take_up(shard_->known());
  }

  Explored run() {
    if (options_.seeds.empty() && shard_ == nullptr) {
      merge(std::nullopt, true);
      return conclude({});
    }
    find_reference();
    for (const std::uint64_t seed : std::span(options_.seeds).subspan(merged_.runs())) {
      if (merged_.count("error") != 0 && !options_.keep_going && is_enough()) break;
      const bool first = merged_.runs() == 0;
      RunOutcome outcome = merge(seed, first);
      has_shown_ = has_shown_ || first;
      if (nvcc::stopped_by() != 0) break;
      if (compares_ && merged_.count("error") == 0) compare(std::move(outcome), seed);
      if (!save()) break;
    }
    merged_.set_policies(policies_of(options_, merged_.runs()));
    const bool has_errors = merged_.count("error") != 0;
    if (!has_errors && difference_.has_value()) add(*difference_);
    if (shard_ != nullptr) {
      shard_->end(merged_.runs(), ended_by());
      merged_.set_campaign(shard_->campaign(), {shard_->progress()});
    }
    const bool has_choice = options_.seeds.size() > 1 && !is_part_ && !options_.keep_going;
    const bool shortens = has_errors && has_choice && nvcc::stopped_by() == 0;
    return conclude(shortens ? shorten(merged_, options_, scratch_, silently()) : std::string());
  }

 private:
  /// What the results of schedules differ in.
  struct Difference {
    Json finding;
    std::uint64_t seed = 0;  // with which it was found
    bool is_suppressed = false;
  };

  /// Goes on behind the runs of an earlier call.
  void take_up(Json document) {
    Json difference = take_difference(document);
    if (!difference.is_null()) {
      differing_ = number_at(difference, "found_in_runs");
      const std::uint64_t seed = number_at(difference, "seed");
      difference_ = Difference{std::move(difference), seed};
    }
    merged_ = Merged(std::move(document));
  }

  /// All shards compare with the same run. Where it fails, the shard that has it says so, and nothing is compared.
  void find_reference() {
    const bool is_own = !options_.seeds.empty() && options_.seeds.front() == first_seed_ && merged_.runs() == 0;
    if (!compares_ || is_own || merged_.runs() == options_.seeds.size() || merged_.count("error") != 0) return;
    const FindingsFolder findings(scratch_);
    reference_.push_back(start(options_for(first_seed_, findings.pattern()), false));
    const Json found = findings.all();
    compares_ = found.is_null() || std::ranges::none_of(found["findings"], [](const Json& finding) {
                  return finding["severity"] == "error";
                });
  }

  shards::ShardEnd ended_by() {
    if (merged_.runs() == options_.seeds.size()) return shards::ShardEnd::all;
    if (nvcc::stopped_by() != 0 || !unsaved_.empty()) return shards::ShardEnd::none;
    return std::ranges::any_of(merged_.findings(), is_hang) ? shards::ShardEnd::hang : shards::ShardEnd::errors;
  }

  /// False where what was run cannot be kept.
  bool save() {
    if (!is_part_) return true;
    Json document = merged_.document();
    const auto policies = policies_of(options_, merged_.runs());
    for (const auto& [policy, runs] : policies) document["policies"][policy] = runs;
    if (merged_.count("error") == 0 && difference_.has_value() && !difference_->is_suppressed) {
      Json& finding = document["findings"].emplace_back(difference_->finding);
      finding["seed"] = difference_->seed;
      finding["found_in_runs"] = differing_;
    }
    unsaved_ = shard_->save(std::move(document), merged_.runs());
    return unsaved_.empty();
  }

  /// A launch that hangs shows nothing further. What else is wrong may be so on every schedule, and hide nothing.
  bool is_enough() {
    const auto now = std::chrono::steady_clock::now();
    if (!first_error_.has_value()) first_error_ = now;
    return std::ranges::any_of(merged_.findings(), is_hang) || now - *first_error_ > kMostTimeForHangs;
  }

  Explored conclude(std::string shortest) {
    return {std::move(merged_), std::move(shortest), out_of_time_, has_shown_, std::move(unsaved_)};
  }

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
    // A run of a shard that was interrupted is left to the next call.
    if (is_part_ && nvcc::stopped_by() != 0) return outcome;
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
    if (reference_.empty()) return reference_.push_back(std::move(outcome));
    if (doubts_ == kMostDoubts || outcome.is_same(reference_.front())) return;
    repeat(reference_, first_seed_);
    if (nvcc::stopped_by() != 0) return;
    const bool ends_otherwise = outcome.status != reference_.front().status;
    std::vector<RunOutcome> others;
    others.push_back(std::move(outcome));
    const ScheduleRuns one{first_seed_, reference_};
    if (!nondeterminism(one, {seed, others}, options_.strict)) return;
    ++differing_;
    const bool is_reported = difference_.has_value() && difference_->finding["severity"] == "error";
    if (is_reported || (difference_.has_value() && !ends_otherwise)) return;
    repeat(others, seed);
    auto found = nondeterminism(one, {seed, others}, options_.strict);
    if (!found.has_value()) {
      ++doubts_;
      return;
    }
    found->again = again(of_seed(options_, first_seed_), &first_seed_) + "; " + again(of_seed(options_, seed), &seed);
    report::SourceFiles sources;
    Json document = Json::parse(report::render_json(std::span(&*found, 1), sources));
    difference_ = Difference{std::move(document["findings"][0]), seed, is_suppressed(*found)};
  }

  bool is_suppressed(const record::Finding& finding) const {
    if (options_.suppressions.empty()) return false;
    const auto suppressions = report::read_suppressions(options_.suppressions);
    return suppressions.ok() && report::is_suppressed(suppressions.value(), finding);
  }

  void add(const Difference& difference) {
    if (difference.is_suppressed) return merged_.add_suppressed();
    merged_.add_finding(difference.finding, difference.seed, differing_);
  }

  const CheckOptions& options_;
  const std::string& scratch_;
  bool compares_;
  const nvcc::RepeatedInput* const input_;
  shards::StateFile* const shard_;
  const bool is_part_;              // one of several shards, or of one that goes on
  const std::uint64_t first_seed_;  // of the search, the results of which those of others are compared with
  std::vector<std::string> command_;
  Merged merged_;
  std::vector<RunOutcome> reference_;  // runs of the first seed's schedule
  std::optional<std::chrono::steady_clock::time_point> first_error_;
  std::optional<Difference> difference_;
  std::uint64_t differing_ = 0;  // runs whose results are others than those of the first
  unsigned doubts_ = 0;
  bool out_of_time_ = false;
  bool has_shown_ = false;
  std::string unsaved_;
};

}  // namespace

Explored explore(const CheckOptions& options, const std::string& program, const std::string& scratch,
                 const nvcc::RepeatedInput* input, shards::StateFile* shard) {
  const nvcc::ScopedSignalDeferral deferral;
  return Exploration(options, program, scratch, input, shard).run();
}

}  // namespace warpfiber::tools::check
