// SPDX-License-Identifier: Apache-2.0
// Kernels under test: check_kernel runs one under many schedules, block sizes and warp sizes, and says whether anything
// was found in it and whether its results depend on any of that. It never hangs: a launch that cannot go on ends with a
// finding. Adapters for test frameworks: testing/catch2.hpp, testing/gtest.hpp. Source: docs/testing.md.
#pragma once

#include <warpfiber/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpfiber::testing {

/// Threads a block that find what powers of two hide.
inline const std::vector<unsigned> kOddBlockSizes = {1, 31, 32, 33, 65, 127, 256};

/// Under what a kernel is run. Every combination is tried, each policy with `seeds` seeds ("in-order" with one).
struct KernelCheck {
  std::vector<std::string> policies = {"in-order", "random", "pct:3"};  // LaunchConfig::policy
  unsigned seeds = 10;                                                  // of each policy
  std::uint64_t first_seed = 1;
  std::vector<unsigned> block_sizes = {};  // what Trial::block() returns; none: what its caller says
  std::vector<unsigned> warp_sizes = {};   // lanes of a warp, 1 to 64; none: the device's
  unsigned most_failures = 1;              // stop after this many
};

/// One of the ways a kernel is run.
struct Way {
  std::string policy;
  std::uint64_t seed = 0;
  unsigned block_size = 0;  // 0: as the test says
  unsigned warp_size = 0;   // 0: the device's

  /// The fields of a KernelCheck that runs this way only.
  std::string text() const {
    std::string found = ".policies = {\"" + policy + "\"}, .seeds = 1, .first_seed = " + std::to_string(seed);
    if (block_size != 0) found += ", .block_sizes = {" + std::to_string(block_size) + "}";
    if (warp_size != 0) found += ", .warp_sizes = {" + std::to_string(warp_size) + "}";
    return found;
  }
};

/// What the user's function gets: it launches through this, so that the launches run the way that is tried.
class Trial {
 public:
  explicit Trial(Way way) : way_(std::move(way)) {}

  const Way& way() const { return way_; }

  /// Threads a block to launch with: `usual` unless block sizes are tried.
  unsigned block(unsigned usual) const { return way_.block_size != 0 ? way_.block_size : usual; }

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

  /// warpfiber::launch this way. What is found is kept, also if the caller drops the result.
  template <class... Kernel>
  LaunchResult launch(const LaunchConfig& config, Kernel&&... kernel) {
    return kept(warpfiber::launch(apply(config), std::forward<Kernel>(kernel)...));
  }

  /// The same for a kernel named as template argument.
  template <auto Kernel, class... Arguments>
  LaunchResult launch(const LaunchConfig& config, const Arguments&... arguments) {
    return kept(warpfiber::launch<Kernel>(apply(config), arguments...));
  }

  /// What the first launch that did not succeed said; empty if all did.
  const std::string& complaint() const { return complaint_; }

 private:
  LaunchResult kept(LaunchResult result) {
    if (complaint_.empty() && (!result.ok() || *result.finding() != '\0')) {
      complaint_ = *result.finding() != '\0' ? result.finding() : error_name(result.error());
      if (*result.message() != '\0') complaint_ += "\n" + std::string(result.message());
    }
    return result;
  }

  Way way_;
  std::string complaint_;
};

/// What check_kernel found.
class KernelReport {
 public:
  bool ok() const { return failures_.empty(); }
  explicit operator bool() const { return ok(); }
  /// How often the kernel was run.
  unsigned runs() const { return runs_; }
  /// One text for every failure: what, in which run, and how to have it again.
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
      report.add(way, trial.complaint());
    } else if (!first.has_value()) {
      first.emplace(std::move(result));
      first_way = way;
    } else if (!same(*first, result)) {
      report.add(way, "results differ from those of {" + first_way.text() + "}");
    }
    return report.failures().size() < check.most_failures;
  });
}

}  // namespace detail

/// Calls `run(trial)` once for every way of `check`. It prepares its data afresh, launches through the trial and
/// returns a result to compare (a vector, a number, anything that `same` takes). A run fails when a launch ends with a
/// finding or is refused, and when its result is not `same` as the first one with the same block and warp size.
/// Exceptions of `run` pass through. Called outside kernels.
template <class Run, class Same = std::equal_to<>>
KernelReport check_kernel(const KernelCheck& check, Run&& run, const Same& same = {}) {
  KernelReport report;
  for (const unsigned block_size : detail::or_default(check.block_sizes)) {
    for (const unsigned warp_size : detail::or_default(check.warp_sizes)) {
      const Way way{{}, 0, block_size, warp_size};
      if (!detail::check_shape(check, way, report, run, same)) return report;
    }
  }
  return report;
}

}  // namespace warpfiber::testing
