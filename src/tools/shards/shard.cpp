// SPDX-License-Identifier: Apache-2.0
//
// A process may be one of several in two ways at once: each task of an array of jobs may start several processes. So
// the environment is read in two levels, and the shards of the inner one are parts of the outer one's.
#include "tools/shards/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/text.hpp"

namespace warpfiber::tools::shards {
namespace {

constexpr std::uint64_t kMostShards = 1'000'000;
constexpr std::string_view kDots = "..";

std::optional<std::uint64_t> parse_one_seed(std::string_view text) {
  return text.starts_with("0x") ? base::parse_number(text.substr(2), 16) : base::parse_number(text);
}

/// Two variables that say which process this is, and of how many.
struct VariablePair {
  const char* index;
  const char* count;
  std::uint64_t first = 0;          // index
  const char* only_with = nullptr;  // a variable that has to be set as well
};

// Where several are set, the first is the nearest to this process.
constexpr std::array<VariablePair, 4> kInner{{
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    // A script of sbatch has the first two as well, although it is one process.
    {"SLURM_PROCID", "SLURM_NTASKS", 0, "SLURM_STEP_ID"},
    {"GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS"},
}};
constexpr VariablePair kGitLab{"CI_NODE_INDEX", "CI_NODE_TOTAL", 1};

using NamedShardResult = base::Result<std::optional<NamedShard>>;

class EnvironmentReading {
 public:
  explicit EnvironmentReading(const ReadVariable& read) : read_(read) {}

  NamedShardResult inner() const {
    for (const VariablePair& pair : kInner) {
      if (pair.only_with != nullptr && !read_(pair.only_with)) continue;
      NamedShardResult found = of_pair(pair);
      if (!found.ok()) return found;
      if (found.value() && !found.value()->shard.is_whole()) return found;
    }
    return {std::nullopt};
  }

  NamedShardResult outer() const {
    NamedShardResult found = of_array();
    return !found.ok() || found.value().has_value() ? found : of_pair(kGitLab);
  }

 private:
  NamedShardResult of_pair(const VariablePair& pair) const {
    const auto index = read_(pair.index);
    const auto count = read_(pair.count);
    if (!index || !count) return {std::nullopt};
    const auto number = base::parse_number(*index);
    const auto of = base::parse_number(*count);
    const bool fits = number && of && *of <= kMostShards && *number >= pair.first && *number - pair.first < *of;
    if (fits) return made(*number - pair.first, *of, fmt::format("{}={}", pair.index, *index));
    return base::Failure{
        fmt::format("{}={} is not one of {}={}, from {}", pair.index, *index, pair.count, *count, pair.first)};
  }

  /// An array may begin anywhere and have steps. Of a list of any numbers a task does not learn its place.
  NamedShardResult of_array() const {
    const auto id = read_("SLURM_ARRAY_TASK_ID");
    const auto count = read_("SLURM_ARRAY_TASK_COUNT");
    if (!id || !count) return {std::nullopt};
    const std::string least = read_("SLURM_ARRAY_TASK_MIN").value_or("0");
    const std::string step = read_("SLURM_ARRAY_TASK_STEP").value_or("1");
    const auto number = base::parse_number(*id);
    const auto of = base::parse_number(*count);
    const auto from = base::parse_number(least);
    const auto by = base::parse_number(step);
    const auto last = read_("SLURM_ARRAY_TASK_MAX");
    const auto to = base::parse_number(last.value_or(*id));
    const bool are_numbers = number && of && from && by && to && *by != 0 && *of <= kMostShards && *from <= *number;
    const bool has_gaps = are_numbers && last && (*to < *from || (*to - *from) / *by + 1 != *of);
    if (are_numbers && !has_gaps && (*number - *from) % *by == 0 && (*number - *from) / *by < *of)
      return made((*number - *from) / *by, *of, "SLURM_ARRAY_TASK_ID=" + *id);
    return base::Failure{
        fmt::format("SLURM_ARRAY_TASK_ID={} is not one of {} tasks from {} in steps of {}", *id, *count, least, step)};
  }

  static NamedShardResult made(std::uint64_t index, std::uint64_t of, std::string variables) {
    return {NamedShard{{index + 1, of}, std::move(variables)}};
  }

  const ReadVariable& read_;
};

}  // namespace

std::string range_text(const SeedRange& seeds) {
  return fmt::format("{}..{}", seeds.first, seeds.last());
}

bool is_range(std::string_view text) {
  return text.find(kDots) != std::string_view::npos;
}

base::Result<SeedRange> parse_range(std::string_view text, std::uint64_t most) {
  const std::size_t at = text.find(kDots);
  const auto first = parse_one_seed(text.substr(0, at));
  const auto last = at == std::string_view::npos ? std::nullopt : parse_one_seed(text.substr(at + kDots.size()));
  if (first && last && *first <= *last && *last - *first < most) return SeedRange{*first, *last - *first + 1};
  return base::Failure{
      fmt::format("two seeds with .. between them, as 1..100, the first not above the last; at most {} seeds",
                  base::thousands(most))};
}

std::string shard_text(const Shard& shard) {
  return fmt::format("{}/{}", shard.number, shard.of);
}

base::Result<Shard> parse_shard(std::string_view text) {
  const std::size_t at = text.find('/');
  const auto number = base::parse_number(text.substr(0, at));
  const auto of = at == std::string_view::npos ? std::nullopt : base::parse_number(text.substr(at + 1));
  if (number && of && *number >= 1 && *number <= *of && *of <= kMostShards) return Shard{*number, *of};
  return base::Failure{fmt::format("a number from 1 and how many shards there are, as 2/8; at most {} shards",
                                   base::thousands(kMostShards))};
}

std::optional<std::string> variable_of_process(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

base::Result<std::optional<NamedShard>> shard_of_environment(const ReadVariable& read) {
  const EnvironmentReading reading(read);
  NamedShardResult inner = reading.inner();
  if (!inner.ok()) return inner;
  NamedShardResult outer = reading.outer();
  if (!outer.ok() || !outer.value()) return outer.ok() ? inner : outer;
  if (!inner.value()) return outer;
  const auto& [part, part_variables] = *inner.value();
  const auto& [whole, whole_variables] = *outer.value();
  const std::uint64_t number = (whole.number - 1) * part.of + part.number;
  const std::uint64_t of = whole.of * part.of;
  const std::string variables = whole_variables + " and " + part_variables;
  if (of <= kMostShards) return {NamedShard{{number, of}, variables}};
  return base::Failure{fmt::format("{}: more than {} shards", variables, base::thousands(kMostShards))};
}

base::Result<std::optional<NamedShard>> own_shard(const std::optional<NamedShard>& given) {
  if (given) return {given};
  NamedShardResult found = shard_of_environment(variable_of_process);
  if (found.ok()) return found;
  return base::Failure{found.error() + "; --shard I/N says which shard this is, 1/1 that there is one"};
}

std::string shard_line(const NamedShard& named, const SeedRange& all) {
  const SeedRange seeds = seeds_of(all, named.shard);
  return fmt::format("shard {}{}: {} of {}", shard_text(named.shard),
                     named.variables.empty() ? std::string() : " by " + named.variables,
                     seeds.count == 0 ? "no seeds" : "seeds " + range_text(seeds), range_text(all));
}

SeedRange seeds_of(const SeedRange& all, const Shard& shard) {
  const std::uint64_t least = all.count / shard.of;
  const std::uint64_t longer = all.count % shard.of;  // the first shards have one more
  const std::uint64_t before = shard.number - 1;
  return {all.first + before * least + std::min(before, longer), least + (before < longer ? 1 : 0)};
}

std::string file_of_shard(std::string name, const Shard& shard) {
  const std::string number = std::to_string(shard.number);
  for (std::size_t at = name.find("%s"); at != std::string::npos; at = name.find("%s", at + number.size()))
    name.replace(at, 2, number);
  return name;
}

bool names_shard(std::string_view name) {
  return name.find("%s") != std::string_view::npos;
}

}  // namespace warpfiber::tools::shards
