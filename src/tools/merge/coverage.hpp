// SPDX-License-Identifier: Apache-2.0
//
// Whether files of shards belong together, and which shards of their searches none of them has. Pure.
#pragma once

#include <string>
#include <vector>

#include "tools/shards/campaign.hpp"

namespace warpfiber::tools::merge {

/// What one file says of its shards.
struct FileShards {
  std::string file{};
  shards::Campaign campaign{};
  std::vector<shards::ShardProgress> progress{};  // at least one
};

/// Why the files cannot be put together, in lines; empty: they can. There is at least one.
std::vector<std::string> contradictions(const std::vector<FileShards>& files);

/// How much of the searches was run.
struct SearchCoverage {
  std::uint64_t shards = 0;
  std::uint64_t known_shards = 0;  // of which there is a file
  std::uint64_t seeds = 0;
  std::uint64_t run_seeds = 0;
  std::vector<std::string> missing{};  // sentences about what has to be run still
  std::vector<std::string> left{};     // sentences about seeds that are not going to be run

  bool is_whole() const { return missing.empty(); }
};

/// Of files that can be put together.
SearchCoverage coverage_of(const std::vector<FileShards>& files);

}  // namespace warpfiber::tools::merge
