// SPDX-License-Identifier: Apache-2.0
// Kernels under test: check_kernel runs one under many schedules, block sizes and warp sizes, and reports findings
// and whether its results depend on any of these. It never hangs: a launch that cannot continue ends with a finding.
// Adapters for test frameworks: testing/catch2.hpp, testing/gtest.hpp. Source: docs/testing.md.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/launch.hpp>
#include <warpfiber/stream.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpfiber::testing {

/// Block sizes that show mistakes which powers of two hide.
inline const std::vector<unsigned> kOddBlockSizes = {1, 31, 32, 33, 65, 127, 256};

/// Under what a kernel is run. Every combination is tried, each policy with `seeds` seeds ("in-order" with one).
struct KernelCheck {
  std::vector<std::string> policies = {"in-order", "random", "pct:3"};  // LaunchConfig::policy
  unsigned seeds = 10;                                                  // of each policy
  std::uint64_t first_seed = 1;
  std::vector<unsigned> block_sizes = {};  // what Trial::block() returns; none: the caller's value
  std::vector<unsigned> warp_sizes = {};   // lanes of a warp, 1 to 64; none: the device's
  std::size_t size = 0;                    // what Trial::size() returns; 0: the caller's value
  unsigned most_failures = 1;              // stop after this many
  bool shrink = true;                      // look for a smaller run that fails in the same way
};

/// One of the ways a kernel is run.
struct Way {
  std::string policy;
  std::uint64_t seed = 0;
  unsigned block_size = 0;  // 0: the test's value
  unsigned warp_size = 0;   // 0: the device's
  std::size_t size = 0;     // of the problem; 0: the test's value

  /// The fields of a KernelCheck that runs this way only.
  std::string text() const {
    std::string found = ".policies = {\"" + policy + "\"}, .seeds = 1, .first_seed = " + std::to_string(seed);
    if (block_size != 0) found += ", .block_sizes = {" + std::to_string(block_size) + "}";
    if (warp_size != 0) found += ", .warp_sizes = {" + std::to_string(warp_size) + "}";
    if (size != 0) found += ", .size = " + std::to_string(size);
    return found;
  }
};

/// Errors that are found while this lives, by the checker too, are the test's to judge: they do not change the exit
/// code of the process. Of several that live at a time the last one made gets them. Made and destroyed outside kernels.
class FoundErrors {
 public:
  FoundErrors();
  ~FoundErrors();
  FoundErrors(const FoundErrors&) = delete;
  FoundErrors& operator=(const FoundErrors&) = delete;

  /// The id and the report of the first; null if nothing was found. Valid as long as this lives.
  const char* first_id() const;
  const char* first_report() const;

 private:
  struct Kept;
  Kept* kept_;
};

/// What the user's function gets: it launches through this, so that the launches run the way that is tried.
class Trial {
 public:
  explicit Trial(Way way) : way_(std::move(way)) {}

  const Way& way() const { return way_; }

  /// Threads a block to launch with: `usual` unless block sizes are tried.
  unsigned block(unsigned usual) const {
    asked_block_ = way_.block_size != 0 ? way_.block_size : usual;
    return asked_block_;
  }

  /// How large the problem is, for example in elements: `usual` unless a smaller failing one is searched. Data,
  /// launches and expected results must depend on it.
  std::size_t size(std::size_t usual) const {
    asked_size_ = way_.size != 0 ? way_.size : usual;
    return asked_size_;
  }

  /// What block() and size() returned last; 0 if they were not called.
  unsigned asked_block() const { return asked_block_; }
  std::size_t asked_size() const { return asked_size_; }

  /// Blocks that cover `elements` with one thread each; at least one.
  unsigned grid(std::size_t elements, unsigned usual_block) const {
    const std::size_t threads = block(usual_block);
    return elements == 0 ? 1 : static_cast<unsigned>((elements + threads - 1) / threads);
  }

  /// The config with this way's policy, seed and warp size and one worker, so that the run can be repeated.
  LaunchConfig apply(LaunchConfig config) const {
    config.policy = way_.policy.c_str();
    config.seed = way_.seed;
    config.workers = 1;
    if (way_.warp_size != 0) config.warp_size = way_.warp_size;
    return config;
  }

  /// warpfiber::launch this way. Findings are kept, also if the caller drops the result.
  template <class... Kernel>
  LaunchResult launch(const LaunchConfig& config, Kernel&&... kernel) {
    return kept(warpfiber::launch(apply(config), std::forward<Kernel>(kernel)...));
  }

  /// The same for a kernel named as template argument.
  template <auto Kernel, class... Arguments>
  LaunchResult launch(const LaunchConfig& config, const Arguments&... arguments) {
    return kept(warpfiber::launch<Kernel>(apply(config), arguments...));
  }

  /// The same for launches that name a stream: they end when the stream has been synchronised.
  LaunchResult synchronize(Stream& stream) { return kept(stream.synchronize()); }

  /// The message of the first launch that failed, or else the first error that was found; empty if there is none.
  const std::string& complaint() const {
    // What the checker finds, for example a race, does not end the launch.
    if (complaint_.empty() && found_.first_id() != nullptr) {
      complaint_ = std::string(found_.first_id()) + "\n" + found_.first_report();
    }
    return complaint_;
  }

 private:
  LaunchResult kept(LaunchResult result) {
    if (complaint_.empty() && (!result.ok() || *result.finding() != '\0')) {
      complaint_ = *result.finding() != '\0' ? result.finding() : error_name(result.error());
      if (*result.message() != '\0') complaint_ += "\n" + std::string(result.message());
    }
    return result;
  }

  Way way_;
  FoundErrors found_;
  mutable std::string complaint_;
  mutable unsigned asked_block_ = 0;
  mutable std::size_t asked_size_ = 0;
};

/// What check_kernel found.
class KernelReport {
 public:
  bool ok() const { return failures_.empty(); }
  explicit operator bool() const { return ok(); }
  /// How often the kernel was run.
  unsigned runs() const { return runs_; }
  /// One text for every failure: what, in which run, and how to repeat it.
  const std::vector<std::string>& failures() const { return failures_; }
  /// All of it, for people.
  std::string message() const {
    std::string text = ok() ? "nothing found" : std::string();
    for (const std::string& failure : failures_) text += failure + "\n";
    return text + " (" + std::to_string(runs_) + (runs_ == 1 ? " run)" : " runs)");
  }

  void count_run() { ++runs_; }
  void add(const Way& way, const std::string& what) {
    failures_.push_back(what + "\nagain: check_kernel({" + way.text() + "}, ...)");
  }

 private:
  unsigned runs_ = 0;
  std::vector<std::string> failures_;
};

namespace detail {

/// Calls `visit(policy, seed)` for the schedules of `check` until it returns false.
template <class Visit>
bool for_every_schedule(const KernelCheck& check, const Visit& visit) {
  for (const std::string& policy : check.policies) {
    const unsigned seeds = policy == "in-order" ? 1 : check.seeds;
    for (unsigned i = 0; i < seeds; ++i) {
      if (!visit(policy, check.first_seed + i)) return false;
    }
  }
  return true;
}

inline std::vector<unsigned> or_default(const std::vector<unsigned>& sizes) {
  return sizes.empty() ? std::vector<unsigned>{0} : sizes;
}

/// The id and the lines of what a launch said: what makes two failures one.
inline std::string kind_of(const std::string& complaint) {
  std::string kind = complaint.substr(0, complaint.find('\n'));
  std::set<std::string> places;
  std::istringstream words(complaint);
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    const bool is_place = colon != std::string::npos && colon > 0 && colon + 1 < word.size() &&
                          word.find_first_not_of("0123456789,", colon + 1) == std::string::npos;
    if (is_place) places.insert(word);
  }
  for (const std::string& place : places) kind += " " + place;
  return kind;
}

/// 1, 2, 3, 4, 6, 8, 12, …: numbers to try instead of `of`, all smaller.
inline std::vector<std::size_t> smaller_than(std::size_t of) {
  std::vector<std::size_t> numbers;
  for (std::size_t power = 1; power < of; power *= 2) {
    numbers.push_back(power);
    if (power > 1 && power + power / 2 < of) numbers.push_back(power + power / 2);
  }
  return numbers;
}

/// Looks for a smaller run that fails as another one does: in order, fewer threads a block, a smaller problem.
template <class Run, class Same>
class Shrinking {
 public:
  /// `complaint` is what a launch said; empty: results differed from those in order.
  Shrinking(Run& run, const Same& same, std::string complaint, unsigned seeds)
      : run_(run), same_(same), kind_(kind_of(complaint)), differs_(complaint.empty()), seeds_(seeds) {}

  Way shrunk(Way way, unsigned block, std::size_t size) {
    if (!differs_ && way.policy != "in-order") take(way, [](Way& smaller) { smaller.policy = "in-order"; });
    for (const std::size_t fewer : smaller_than(block)) {
      if (take(way, [&](Way& smaller) { smaller.block_size = static_cast<unsigned>(fewer); })) break;
    }
    for (const std::size_t fewer : smaller_than(size)) {
      if (take(way, [&](Way& smaller) { smaller.size = fewer; })) break;
    }
    return way;
  }

 private:
  static constexpr unsigned kMostSeeds = 5;

  template <class Change>
  bool take(Way& way, const Change& change) {
    Way smaller = way;
    change(smaller);
    const unsigned seeds = smaller.policy == "in-order" ? 1 : std::min(seeds_, kMostSeeds);
    for (unsigned i = 0; i < std::max(seeds, 1U); ++i, ++smaller.seed) {
      if (!fails(smaller)) continue;
      way = smaller;
      return true;
    }
    return false;
  }

  bool fails(const Way& way) {
    Trial trial(way);
    auto result = run_(trial);
    if (!differs_) return !trial.complaint().empty() && kind_of(trial.complaint()) == kind_;
    if (!trial.complaint().empty()) return false;
    Way in_order = way;
    in_order.policy = "in-order";
    Trial reference(in_order);
    const auto expected = run_(reference);
    return reference.complaint().empty() && !same_(expected, result);
  }

  Run& run_;
  const Same& same_;
  const std::string kind_;
  const bool differs_;
  const unsigned seeds_;
};

/// Adds a failure to the report, with the smallest run that was found to fail in the same way.
template <class Run, class Same>
void add_failure(const KernelCheck& check, const Trial& trial, const std::string& what, KernelReport& report, Run& run,
                 const Same& same) {
  if (!check.shrink) return report.add(trial.way(), what);
  Shrinking<Run, Same> shrinking(run, same, trial.complaint(), check.seeds);
  const Way smallest = shrinking.shrunk(trial.way(), trial.asked_block(), trial.asked_size());
  report.add(smallest, what);
}

/// Runs of one block size and one warp size, whose results have to be equal.
template <class Run, class Same>
bool check_shape(const KernelCheck& check, Way way, KernelReport& report, Run& run, const Same& same) {
  std::optional<std::decay_t<std::invoke_result_t<Run&, Trial&>>> first;
  Way first_way;
  return for_every_schedule(check, [&](const std::string& policy, std::uint64_t seed) {
    way.policy = policy;
    way.seed = seed;
    Trial trial(way);
    auto result = run(trial);
    report.count_run();
    if (!trial.complaint().empty()) {
      add_failure(check, trial, trial.complaint(), report, run, same);
    } else if (!first.has_value()) {
      first.emplace(std::move(result));
      first_way = way;
    } else if (!same(*first, result)) {
      add_failure(check, trial, "results differ from those of {" + first_way.text() + "}", report, run, same);
    }
    return report.failures().size() < check.most_failures;
  });
}

}  // namespace detail

/// Calls `run(trial)` once for every way of `check`. It prepares its data afresh, launches through the trial and
/// returns a result to compare (a vector, a number, anything that `same` takes). A run fails when a launch ends with a
/// finding or is refused, when the checker finds an error, and when its result is not `same` as the first one with the
/// same block and warp size. Exceptions of `run` pass through. Called outside kernels.
template <class Run, class Same = std::equal_to<>>
KernelReport check_kernel(const KernelCheck& check, Run&& run, const Same& same = {}) {
  KernelReport report;
  for (const unsigned block_size : detail::or_default(check.block_sizes)) {
    for (const unsigned warp_size : detail::or_default(check.warp_sizes)) {
      const Way way{{}, 0, block_size, warp_size, check.size};
      if (!detail::check_shape(check, way, report, run, same)) return report;
    }
  }
  return report;
}

}  // namespace warpfiber::testing
