// SPDX-License-Identifier: Apache-2.0
//
// What files of shards say of the search that they are parts of, so that those are put together that belong together,
// and what is missing is known. The keys are described in docs/findings-format.md.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/shards/shard.hpp"

namespace warpfiber::tools::shards {

using ShardJson = nlohmann::ordered_json;

/// What all shards of a search have in common.
struct Campaign {
  std::string command{};  // "check"
  std::string version{};  // of Warpfiber
  std::string program{};  // its name; empty: random programs
  std::string digest{};   // of its file, or of its sources
  std::string options{};  // what changes the runs, as a shell reads it
};

/// Why a shard has ended.
enum class ShardEnd { none, all, hang, errors };

/// How far one shard has come.
struct ShardProgress {
  Shard shard{};
  SeedRange all{};        // of the search
  std::uint64_t ran = 0;  // of the shard's seeds, in order
  ShardEnd end = ShardEnd::none;

  SeedRange seeds() const { return seeds_of(all, shard); }
};

/// A document's keys "campaign" and "shards".
void set_campaign(ShardJson& document, const Campaign& campaign, const std::vector<ShardProgress>& shards);

/// Nothing where the document has none, or not in this form.
std::optional<Campaign> campaign_of(const ShardJson& document);
std::vector<ShardProgress> shards_of(const ShardJson& document);

/// What two searches do not have in common, behind the name of a file of the other one: "is of another program: …".
/// Empty: they may be put together.
std::string difference_between(const Campaign& one, const Campaign& other);

/// A digest of several texts.
std::string digest_of(const std::vector<std::string>& texts);

/// A document as a file has it. Text that is not UTF-8 is repaired.
std::string text_of(const ShardJson& document);

}  // namespace warpfiber::tools::shards
