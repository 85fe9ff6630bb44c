// SPDX-License-Identifier: Apache-2.0
//
// What a comparison of random programs has counted and found, as data and as a document that shards keep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/shards/campaign.hpp"

namespace warpfiber::tools::shards {

/// The name of the format, first in every document.
inline constexpr std::string_view kFuzzSchema = "warpfiber-fuzz-1";

/// A difference that was explained. Two at the same operation are one.
struct FuzzDifference {
  std::uint64_t seed = 0;      // of the first program that shows it
  std::string operation{};     // as the source of the program has it
  std::string text{};          // in lines
  std::uint64_t programs = 1;  // that show it
};

struct FuzzResults {
  std::uint64_t programs = 0;
  std::vector<std::pair<std::string, std::uint64_t>> counts{};  // of what programs were held against, and the like
  std::vector<FuzzDifference> differences{};
  std::vector<std::uint64_t> unexplained{};  // seeds of further programs that differ

  void count(const std::string& label, std::uint64_t by = 1);
  std::uint64_t counted(const std::string& label) const;
  void add(FuzzDifference difference);
  void add(const FuzzResults& other);
  /// How many programs differ.
  std::uint64_t differing() const;
};

ShardJson document_of(const FuzzResults& results);

/// Nothing where the document is none of this format.
std::optional<FuzzResults> results_of(const ShardJson& document);

/// A text as a document of a shard of a comparison; discarded where it is none.
ShardJson read_fuzz_document(const std::string& text);

/// The line of a program with its numbers left out, so that two programs that call the same have the same.
std::string operation_of(std::string_view line);

}  // namespace warpfiber::tools::shards
