// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber check` as data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/check/reporting.hpp"
#include "tools/options/run_files.hpp"
#include "tools/program/program.hpp"
#include "tools/shards/shard.hpp"

namespace warpfiber::tools::check {

struct CheckOptions : program::ProgramOptions, ReportOptions {
  RunFiles files;            // of the run that counts
  std::string schedule;      // where a schedule that fails is kept; empty: in the folder where the command was started
  std::string suppressions;  // a file; empty: none
  std::string policy;        // who runs next; empty: random where there is a seed, else in order
  std::string convergence;   // which lanes __activemask() returns; empty: as the environment says
  bool mixes = false;        // the seeds differ in policy and convergence as well
  std::vector<std::uint64_t> seeds;         // one for each run; empty: one run without a seed, or a shard that has none
  std::optional<shards::SeedRange> search;  // the seeds of all shards, as --seeds A..B
  std::optional<shards::NamedShard> shard;  // which of them are this process's; none: all
  std::uint64_t most_blocks = 0;            // of a launch; 0: as many as it has
  std::uint64_t most_threads = 0;           // of a block; 0: as many as it has
  unsigned timeout = 0;                     // seconds that a run may take; 0: any number
  bool strict = false;
  bool leak_check = false;
  bool try_fixes = false;      // build and run the program with each fix that is lines added to it
  bool stop_at_first = false;  // access that a device refuses
  bool keep_going = false;     // run further schedules after one that fails

  /// The one word that is a program already; empty if something is to be built.
  std::string binary() const;
  /// What the program is called: its file, or the first of its sources.
  std::string name() const;
  /// Whether there are several schedules, the results of which are compared.
  bool compares() const { return search.has_value() ? search->count > 1 : seeds.size() > 1; }
};

/// Reads the arguments of `warpfiber check`.
program::ParsedOptions<CheckOptions> parse(const std::vector<std::string>& arguments);

/// The command that repeats the run with this seed, or the run without one.
std::string again(const CheckOptions& options, const std::uint64_t* seed);

/// The options of the run with this seed: where nothing else is asked for, every second one holds threads back, and
/// some vary which lanes __activemask() returns.
CheckOptions of_seed(const CheckOptions& options, std::uint64_t seed);

/// The policies of the first `runs` seeds, each with how many of them run under it.
std::vector<std::pair<std::string, std::uint64_t>> policies_of(const CheckOptions& options, std::size_t runs);

/// The options of runs under another policy; empty: in order.
CheckOptions with_policy(const CheckOptions& options, const std::string& policy);

/// The options of runs in which other lanes are together; empty: as the environment says.
CheckOptions with_convergence(const CheckOptions& options, const std::string& convergence);

/// The options of runs of smaller launches; 0: of any size.
CheckOptions with_sizes(const CheckOptions& options, std::uint64_t most_blocks, std::uint64_t most_threads);

}  // namespace warpfiber::tools::check
