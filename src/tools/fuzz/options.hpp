// SPDX-License-Identifier: Apache-2.0
//
// The command line of `warpfiber-dev fuzz` as data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/fuzz/regions/comparison.hpp"
#include "tools/options/output.hpp"
#include "tools/shards/shard.hpp"

namespace warpfiber::tools::fuzz {

/// What the simulator is held against: `automatic` is the recordings where they have the seed, else the model.
enum class Against { automatic, recordings, gpu, model };

struct FuzzOptions {
  std::uint64_t count = 1000;
  std::uint64_t seed = 1;
  Against against = Against::automatic;
  std::string recordings;  // a file; empty: those that are installed
  std::string record;      // a file to write; empty: none
  std::optional<std::uint64_t> print;
  std::optional<shards::SeedRange> search;  // the seeds of all shards; `seed` and `count` are those of this one
  std::optional<shards::NamedShard> shard;  // none: there is one
  std::string json;                         // what was found as a document; empty: none
  std::optional<RegionsRequest> regions;    // fibers and regions are compared, and nothing else
};

struct ParsedFuzzOptions {
  FuzzOptions options;
  std::optional<Reply> reply;  // the help, or what is wrong: nothing is to be run
};

/// Reads the arguments of `warpfiber-dev fuzz`, without that word.
ParsedFuzzOptions parse(const std::vector<std::string>& arguments);

}  // namespace warpfiber::tools::fuzz
