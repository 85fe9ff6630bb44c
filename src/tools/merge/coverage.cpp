// SPDX-License-Identifier: Apache-2.0
//
// Shards are of one search where its seeds and the number of shards are the same. Several searches may be put together,
// such as seeds 1..100 and then 101..200, unless they have seeds in common.
#include "tools/merge/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/text.hpp"

namespace warpfiber::tools::merge {
namespace {

using shards::SeedRange;
using shards::ShardEnd;
using shards::ShardProgress;

constexpr std::size_t kShown = 8;  // shards of a sentence

/// One shard and the file that has it.
struct FoundShard {
  ShardProgress progress;
  const std::string* file;
};

/// A search: its first seed, how many there are, and in how many shards.
using SearchKey = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

std::map<SearchKey, std::vector<FoundShard>> searches_of(const std::vector<FileShards>& files) {
  std::map<SearchKey, std::vector<FoundShard>> searches;
  for (const FileShards& file : files) {
    for (const ShardProgress& progress : file.progress) {
      const SearchKey key{progress.all.first, progress.all.count, progress.shard.of};
      searches[key].push_back({progress, &file.file});
    }
  }
  for (auto& [key, found] : searches) {
    std::ranges::sort(found, {}, [](const FoundShard& one) { return one.progress.shard.number; });
  }
  return searches;
}

/// "seeds 1..100 in 4 shards"
std::string search_text(const ShardProgress& progress) {
  const std::string seeds = "seeds " + range_text(progress.all);
  return progress.shard.is_whole() ? seeds : fmt::format("{} in {}", seeds, base::counted(progress.shard.of, "shard"));
}

/// "shards 2, 5 and 7..9 of 12"
std::string shards_text(const std::vector<SeedRange>& runs, std::uint64_t of) {
  std::string text;
  for (std::size_t at = 0; at < std::min(runs.size(), kShown); ++at) {
    if (at != 0) text += at + 1 == runs.size() ? " and " : ", ";
    text += runs[at].count == 1 ? std::to_string(runs[at].first) : range_text(runs[at]);
  }
  const bool is_one = runs.size() == 1 && runs.front().count == 1;
  if (runs.size() > kShown) text += " and others";
  return fmt::format("shard{} {} of {}", is_one ? "" : "s", text, of);
}

/// The shards that no file has.
std::string missing_of(const std::vector<FoundShard>& found) {
  const ShardProgress& one = found.front().progress;
  std::vector<SeedRange> runs;
  std::uint64_t next = 1;
  std::uint64_t seeds = 0;
  const auto skip_to = [&](std::uint64_t number) {
    if (number > next) runs.push_back({next, number - next});
    for (; next < number; ++next) seeds += seeds_of(one.all, {next, one.shard.of}).count;
  };
  for (const FoundShard& shard : found) {
    skip_to(shard.progress.shard.number);
    ++next;
  }
  skip_to(one.shard.of + 1);
  if (runs.empty()) return {};
  const bool is_one = runs.size() == 1 && runs.front().count == 1;
  return fmt::format("{} of seeds {} {} missing: {} were not run", shards_text(runs, one.shard.of), range_text(one.all),
                     is_one ? "is" : "are", base::counted(seeds, "seed"));
}

void add_progress(SearchCoverage& to, const FoundShard& found) {
  const ShardProgress& progress = found.progress;
  const std::uint64_t seeds = progress.seeds().count;
  to.run_seeds += progress.ran;
  if (progress.end == ShardEnd::all) return;
  const std::string which = fmt::format("{}: shard {}", *found.file, shard_text(progress.shard));
  const std::string of = fmt::format("{} of {}", base::thousands(progress.ran), base::counted(seeds, "seed"));
  if (progress.end == ShardEnd::none) {
    to.missing.push_back(
        fmt::format("{} was interrupted after {}; the command that wrote the file goes on", which, of));
  } else {
    to.left.push_back(
        fmt::format("{} stopped {}, after {}", which,
                    progress.end == ShardEnd::hang ? "at a launch that hangs" : "30 seconds after an error", of));
  }
}

}  // namespace

std::vector<std::string> contradictions(const std::vector<FileShards>& files) {
  std::vector<std::string> found;
  for (const FileShards& file : files) {
    const std::string what = difference_between(files.front().campaign, file.campaign);
    if (!what.empty()) found.push_back(fmt::format("{}: {}, as {} is", file.file, what, files.front().file));
  }
  if (!found.empty()) return found;
  const FoundShard* before = nullptr;
  const auto searches = searches_of(files);
  for (const auto& [key, shards] : searches) {
    for (std::size_t at = 1; at < shards.size(); ++at) {
      if (shards[at].progress.shard == shards[at - 1].progress.shard)
        found.push_back(fmt::format("{} and {} are both of shard {} of seeds {}: leave one of them out",
                                    *shards[at - 1].file, *shards[at].file, shard_text(shards[at].progress.shard),
                                    range_text(shards[at].progress.all)));
    }
    const FoundShard& first = shards.front();
    if (before != nullptr && before->progress.all.last() >= first.progress.all.first)
      found.push_back(fmt::format("{} is of {}, {} of {}: these have seeds in common", *before->file,
                                  search_text(before->progress), *first.file, search_text(first.progress)));
    if (before == nullptr || before->progress.all.last() < first.progress.all.last()) before = &first;
  }
  return found;
}

SearchCoverage coverage_of(const std::vector<FileShards>& files) {
  SearchCoverage coverage;
  for (const auto& [key, found] : searches_of(files)) {
    coverage.shards += found.front().progress.shard.of;
    coverage.seeds += found.front().progress.all.count;
    coverage.known_shards += found.size();
    if (std::string missing = missing_of(found); !missing.empty()) coverage.missing.push_back(std::move(missing));
    for (const FoundShard& shard : found) add_progress(coverage, shard);
  }
  return coverage;
}

}  // namespace warpfiber::tools::merge
