// SPDX-License-Identifier: Apache-2.0
//
// The file of a shard: a document of docs/findings-format.md that is written after each run, so that a shard that was
// interrupted goes on where it was. A reader sees the state before a run or after it.
#pragma once

#include <optional>
#include <string>

#include "tools/check/merged.hpp"
#include "tools/check/options.hpp"
#include "tools/shards/campaign.hpp"

namespace warpfiber::tools::check {

/// What all shards of the search that the options ask for have in common; of a program that is built already `program`
/// is the file.
shards::Campaign campaign_of(const CheckOptions& options);

/// A document of a shard, or of several that were merged; discarded where the text is none.
Json read_shard_document(const std::string& text);

class ShardFile {
 public:
  explicit ShardFile(const CheckOptions& options);

  /// Reads what an earlier call has left, or makes the file. Why that is not possible; empty: it was.
  std::string open();

  /// The document of an earlier call; null: there is none.
  const Json& known() const { return known_; }
  const shards::ShardProgress& progress() const { return progress_; }

  /// The document is what `ran` of the shard's runs have found. Why it cannot be written; empty: it was.
  std::string save(Json document, std::uint64_t ran);

  /// Nothing more is to be run. The document gets what is to be said of the shard.
  void end(Merged& merged, shards::ShardEnd end);

 private:
  std::string complaint_about(const std::string& text);

  const std::string path_;  // empty: nothing is kept
  shards::Campaign campaign_;
  shards::ShardProgress progress_;
  Json known_;
};

}  // namespace warpfiber::tools::check
