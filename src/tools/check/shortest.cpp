// SPDX-License-Identifier: Apache-2.0
//
// Tries smaller launches first, then a run without a schedule, then fewer switches (shrinking.hpp). Each try is one
// run of the program that has to show the same kinds of findings.
#include "tools/check/shortest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "schedule/options.hpp"
#include "tools/check/documents/document.hpp"
#include "tools/check/shrinking.hpp"

namespace warpfiber::tools::check {
namespace {

namespace fs = std::filesystem;
using record::Verdict;

constexpr unsigned kMostRuns = 100;
constexpr std::chrono::seconds kMostTime{30};
constexpr std::chrono::seconds kMostTimeForSizes{10};
// Of a longer schedule even the halves take long to try.
constexpr std::size_t kMostSwitches = 200'000;

/// Whether such a defect is something that threads do. What threads leave undone, and what waits for them, may
/// come from the cut itself: values that nobody has written, and launches that hang.
bool can_cut_blocks(std::optional<Verdict> verdict) {
  constexpr Verdict kDone[] = {
      Verdict::benign_race, Verdict::conversion, Verdict::invalid_free,  Verdict::local_escape, Verdict::misaligned,
      Verdict::oob_global,  Verdict::oob_index,  Verdict::oob_shared,    Verdict::race_dsmem,   Verdict::race_global,
      Verdict::race_shared, Verdict::trap,       Verdict::use_after_free};
  return verdict.has_value() && std::ranges::find(kDone, *verdict) != std::end(kDone);
}

/// Where the schedule is kept: as the options say, else in the folder where the command was started.
std::string file_for(const CheckOptions& options) {
  if (!options.schedule.empty()) return options.schedule;
  const std::string program = options.program.inputs.empty() ? options.binary() : options.program.inputs.front();
  return fs::path(program).stem().string() + ".schedule";
}

bool write_schedule(const std::string& path, const schedule::Switches& switches) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << schedule::kSwitchesFirstLine << '\n';
  schedule::write_switches(file, switches);
  file.close();
  return static_cast<bool>(file);
}

class Shortening {
 public:
  Shortening(Merged& merged, const CheckOptions& options, std::uint64_t seed, const std::string& scratch,
             const RunSilently& run)
      : merged_(merged), options_(options), seed_(seed), scratch_(scratch), run_(run) {
    const Json& findings = merged.findings();
    while (findings[index_]["severity"] != "error") ++index_;
    kind_ = kinds_of(findings[index_]).front();
    for (const Json& finding : findings) kinds_.merge(set_of_kinds(finding));
  }

  std::string shorten() {
    const bool in_order = fails(with_policy(options_, ""), nullptr, {});
    if (in_order) options_ = with_policy(options_, "");
    make_smaller(in_order ? nullptr : &seed_);
    if (in_order)
      return fmt::format("it fails under the default schedule{}: {}", sizes(), set_again(options_, nullptr));
    const auto kind = schedule::parse_policy(options_.policy).value().kind;
    if (kind == schedule::PolicyKind::random || kind == schedule::PolicyKind::pct) {
      if (std::string kept = keep(few_switches()); !kept.empty()) return kept;
    }
    if (sizes().empty()) return {};
    return fmt::format("it fails{}: {}", sizes(), set_again(options_, &seed_));
  }

 private:
  static std::set<std::string> set_of_kinds(const Json& finding) {
    const std::vector<std::string> kinds = kinds_of(finding);
    return {kinds.begin(), kinds.end()};
  }
  bool is_searched(const Json& finding) const { return set_of_kinds(finding).contains(kind_); }

  bool fails(const CheckOptions& options, const std::uint64_t* seed, const std::vector<std::string>& variables) {
    const Json document = run_(options, seed, variables);
    if (!document.is_object()) return false;
    return std::ranges::any_of(document["findings"], [this](const Json& finding) { return is_searched(finding); });
  }

  /// The command that repeats the failure, which the finding then names.
  std::string set_again(const CheckOptions& options, const std::uint64_t* seed) {
    std::string command = again(options, seed);
    merged_.set_again(index_, command);
    return command;
  }

  /// Whether it fails as before, and in no other way: what goes wrong only in a smaller launch comes from the cut.
  bool fails_alone(const CheckOptions& options, const std::uint64_t* seed) {
    const Json document = run_(options, seed, {});
    if (!document.is_object()) return false;
    const Json& findings = document["findings"];
    const auto is_known = [this](const Json& finding) { return std::ranges::includes(kinds_, set_of_kinds(finding)); };
    return std::ranges::all_of(findings, is_known) &&
           std::ranges::any_of(findings, [this](const Json& finding) { return is_searched(finding); });
  }

  /// Options of the launches of the fewest blocks that fail still, as far as there is time. Blocks keep their threads:
  /// a correct kernel whose threads share a tile fails with fewer of them.
  void make_smaller(const std::uint64_t* seed) {
    if (!can_cut_blocks(verdict_of(merged_.findings()[index_]))) return;
    const Json& launch = merged_.findings()[index_].value("launch", Json::object());
    const auto end = std::chrono::steady_clock::now() + kMostTimeForSizes;
    const auto volume = [&launch](const char* extent) {
      std::uint64_t product = 1;
      for (const Json& one : launch.value(extent, Json::array())) product *= one.get<std::uint64_t>();
      return product;
    };
    const auto fewest = [&](std::uint64_t least, std::uint64_t all, auto&& with) {
      for (std::uint64_t most = least; most < all && std::chrono::steady_clock::now() < end; most *= 2) {
        CheckOptions smaller = with(most);
        if (!fails_alone(smaller, seed)) continue;
        options_ = std::move(smaller);
        return;
      }
    };
    if (options_.most_blocks != 0 || options_.most_threads != 0) return;
    fewest(volume("cluster"), volume("grid"), [this](std::uint64_t most) { return with_sizes(options_, most, 0); });
  }

  /// ", in launches of at most 1 block"; empty where they are as the program asks. Threads are cut only by the user.
  std::string sizes() const {
    const std::string blocks = base::counted(options_.most_blocks, "block");
    const std::string threads = base::counted(options_.most_threads, "thread");
    if (options_.most_blocks == 0 && options_.most_threads == 0) return {};
    if (options_.most_threads == 0) return fmt::format(", in launches of at most {}", blocks);
    if (options_.most_blocks == 0) return fmt::format(", in blocks of at most {}", threads);
    return fmt::format(", in launches of at most {} of {}", blocks, threads);
  }

  bool fails_with(const schedule::Switches& switches) {
    const std::string file = scratch_ + "/tried.schedule";
    return write_schedule(file, switches) && fails(with_policy(options_, "replay:" + file), &seed_, {});
  }

  /// Empty where the schedule cannot be repeated from its switches.
  schedule::Switches few_switches() {
    const std::string recorded = scratch_ + "/recorded.schedule";
    fs::remove(recorded);
    if (!fails(options_, &seed_, {"WARPFIBER_SCHEDULE=" + recorded})) return {};
    const auto policy = schedule::parse_policy("replay:" + recorded);
    if (!policy.ok() || policy.value().switches == nullptr) return {};
    const schedule::Switches& all = *policy.value().switches;
    if (all.size() > kMostSwitches || !fails_with(all)) return {};
    before_ = all.size();
    const auto end = std::chrono::steady_clock::now() + kMostTime;
    return shrunk(all, kMostRuns, [&](const schedule::Switches& some) {
      return std::chrono::steady_clock::now() < end && fails_with(some);
    });
  }

  std::string keep(const schedule::Switches& switches) {
    if (before_ == 0) return {};
    const std::string file = file_for(options_);
    if (!write_schedule(file, switches)) return file + ": the failing schedule cannot be written; see --schedule";
    const std::string command = set_again(with_policy(options_, "replay:" + file), &seed_);
    if (switches.empty()) return fmt::format("it fails without any switch between threads{}: {}", sizes(), command);
    return fmt::format("{} of {} between threads make it fail{}, which {} keeps: {}", base::thousands(switches.size()),
                       before_ == 1 ? "1 switch" : base::thousands(before_) + " switches", sizes(), file, command);
  }

  Merged& merged_;
  CheckOptions options_;  // of the runs that are tried
  const std::uint64_t seed_;
  const std::string& scratch_;
  const RunSilently& run_;
  std::size_t index_ = 0;  // of the finding
  std::string kind_;
  std::set<std::string> kinds_;  // of all findings
  std::size_t before_ = 0;       // switches of the schedule
};

}  // namespace

std::string shorten(Merged& merged, const CheckOptions& options, std::uint64_t seed, const std::string& scratch,
                    const RunSilently& run) {
  return Shortening(merged, options, seed, scratch, run).shorten();
}

}  // namespace warpfiber::tools::check
