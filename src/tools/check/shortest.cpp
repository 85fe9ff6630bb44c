// SPDX-License-Identifier: Apache-2.0
//
// Tries smaller launches first, then a run without a schedule, then fewer switches (shrinking.hpp). Each try is one
// run of the program that has to show the same kinds of findings.
#include "tools/check/shortest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "base/files.hpp"
#include "base/text.hpp"
#include "schedule/options.hpp"
#include "tools/check/documents/document.hpp"
#include "tools/check/shrinking.hpp"

namespace warpfiber::tools::check {
namespace {

namespace fs = std::filesystem;
using record::Verdict;

constexpr unsigned kMostRuns = 150;
constexpr std::chrono::seconds kMostTime{20};
constexpr std::chrono::seconds kMostTimeForSizes{10};
// A schedule with more switches is replaced by one with delays, if one of the first seeds fails there.
constexpr std::size_t kManySwitches = 50;
constexpr std::uint64_t kMostDelays = 24;
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
  return fs::path(options.name()).stem().string() + ".schedule";
}

bool write_schedule(const std::string& path, const schedule::Switches& switches) {
  base::OutputFile file(path);
  file.stream() << schedule::kSwitchesFirstLine << '\n';
  schedule::write_switches(file.stream(), switches);
  return file.commit().empty();
}

class Shortening {
 public:
  Shortening(Merged& merged, const CheckOptions& options, const std::string& scratch, const RunSilently& run)
      : merged_(merged), scratch_(scratch), run_(run) {
    const Json& findings = merged.findings();
    const auto is_error = [](const Json& finding) { return finding["severity"] == "error"; };
    const auto hang = std::ranges::find_if(findings, is_hang);
    const auto searched = hang != findings.end() ? hang : std::ranges::find_if(findings, is_error);
    index_ = static_cast<std::size_t>(searched - findings.begin());
    seed_ = (*searched)["seed"].get<std::uint64_t>();
    options_ = of_seed(options, seed_);
    options_.mixes = false;
    kind_ = kinds_of(findings[index_]).front();
    for (const Json& finding : findings) kinds_.merge(set_of_kinds(finding));
  }

  std::string shorten() {
    const CheckOptions plain = with_convergence(with_policy(options_, ""), "");
    const bool in_order = note_those_in_order(plain);
    if (in_order) options_ = plain;
    make_smaller(in_order ? nullptr : &seed_);
    if (!in_order && !options_.convergence.empty()) {
      CheckOptions together = with_convergence(options_, "");
      if (fails(together, &seed_, {})) options_ = std::move(together);
    }
    if (in_order)
      return fmt::format("it fails under the default schedule{}: {}", sizes(), set_again(options_, nullptr));
    const auto kind = schedule::parse_policy(options_.policy).value().kind;
    if (kind != schedule::PolicyKind::in_order && kind != schedule::PolicyKind::lock_step &&
        kind != schedule::PolicyKind::replay) {
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

  /// All findings of a run in order get the command that repeats it. Whether the one that is searched is among them.
  bool note_those_in_order(const CheckOptions& plain) {
    const Json document = run_(plain, nullptr, {});
    if (!document.is_object()) return false;
    std::set<std::string> found;
    for (const Json& finding : document["findings"]) found.merge(set_of_kinds(finding));
    const std::string command = again(plain, nullptr);
    for (std::size_t i = 0; i < merged_.findings().size(); ++i) {
      if (std::ranges::includes(found, set_of_kinds(merged_.findings()[i]))) merged_.set_again(i, command);
    }
    return found.contains(kind_);
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

  /// The switches of a run that fails; empty where it does not, or cannot be repeated from them.
  schedule::Switches recorded(const CheckOptions& options, std::uint64_t seed) {
    const std::string file = scratch_ + "/recorded.schedule";
    fs::remove(file);
    if (!fails(options, &seed, {"WARPFIBER_SCHEDULE=" + file})) return {};
    const auto policy = schedule::parse_policy("replay:" + file);
    if (!policy.ok() || policy.value().switches == nullptr) return {};
    return *policy.value().switches;
  }

  /// A schedule in which threads are held back has few switches: looks for one that fails in place of a long one.
  schedule::Switches shorter_with_delays(schedule::Switches all) {
    const auto end = std::chrono::steady_clock::now() + kMostTimeForSizes;
    const CheckOptions delays = with_policy(options_, "delays");
    for (std::uint64_t seed = 1; seed <= kMostDelays && std::chrono::steady_clock::now() < end; ++seed) {
      schedule::Switches few = recorded(delays, seed);
      if (few.empty() || few.size() * 2 > all.size()) continue;
      seed_ = seed;
      return few;
    }
    return all;
  }

  /// Empty where the schedule cannot be repeated from its switches.
  schedule::Switches few_switches() {
    schedule::Switches all = recorded(options_, seed_);
    before_ = all.size();
    if (all.size() > kManySwitches) all = shorter_with_delays(std::move(all));
    if (all.empty() || all.size() > kMostSwitches || !fails_with(all)) {
      before_ = 0;
      return {};
    }
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
  std::uint64_t seed_ = 0;
  const std::string& scratch_;
  const RunSilently& run_;
  std::size_t index_ = 0;  // of the finding
  std::string kind_;
  std::set<std::string> kinds_;  // of all findings
  std::size_t before_ = 0;       // switches of the schedule
};

}  // namespace

std::string shorten(Merged& merged, const CheckOptions& options, const std::string& scratch, const RunSilently& run) {
  return Shortening(merged, options, scratch, run).shorten();
}

}  // namespace warpfiber::tools::check
