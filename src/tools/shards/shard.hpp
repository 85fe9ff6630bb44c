// SPDX-License-Identifier: Apache-2.0
//
// Which seeds of a search are this process's, where many processes share it: its shard is what the command says, or
// what the environment says that schedulers, MPI and CI servers give each of their processes. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace warpfiber::tools::shards {

/// `count` seeds from `first` on; none where it is 0.
struct SeedRange {
  std::uint64_t first = 1;
  std::uint64_t count = 0;

  std::uint64_t last() const { return first + count - 1; }  // where there is one
  bool operator==(const SeedRange&) const = default;
};

/// "26..50", where there is one.
std::string range_text(const SeedRange& seeds);

/// Whether the text is to be a range of seeds.
bool is_range(std::string_view text);

/// Reads "26..50": both ends included, at most `most` seeds. Seeds may be hexadecimal, with 0x.
base::Result<SeedRange> parse_range(std::string_view text, std::uint64_t most);

/// One of equal parts of a search, counted from 1.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t of = 1;

  bool is_whole() const { return of == 1; }
  bool operator==(const Shard&) const = default;
};

/// "2/8".
std::string shard_text(const Shard& shard);

/// Reads it back.
base::Result<Shard> parse_shard(std::string_view text);

/// A shard, and the variables of the environment that say so; none: the command does.
struct NamedShard {
  Shard shard{};
  std::string variables{};
};

/// The value of a variable of the environment; nothing where it is not set.
using ReadVariable = std::function<std::optional<std::string>(const char* name)>;
std::optional<std::string> variable_of_process(const char* name);

/// What the environment says: nothing where it says nothing of shards, or that a process was started alone. A job that
/// is an array or parallel has a shard even where it is the only one: another one may have been meant. The failure
/// names the variables that contradict each other.
base::Result<std::optional<NamedShard>> shard_of_environment(const ReadVariable& read);

/// The shard that was given, or the one that the environment names; nothing where neither names one.
base::Result<std::optional<NamedShard>> own_shard(const std::optional<NamedShard>& given);

/// "shard 2/4 by PMI_RANK=1: seeds 26..50 of 1..100".
std::string shard_line(const NamedShard& named, const SeedRange& all);

/// The seeds of a shard: neighbours, as many as those of any other, or one more.
SeedRange seeds_of(const SeedRange& all, const Shard& shard);

/// The name of a file with the number of the shard in place of each "%s".
std::string file_of_shard(std::string name, const Shard& shard);

/// Whether the name has a place for the number.
bool names_shard(std::string_view name);

}  // namespace warpfiber::tools::shards
