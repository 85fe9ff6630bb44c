// SPDX-License-Identifier: Apache-2.0
//
// The file of a shard, a document that is written again and again, so that a shard that was interrupted goes on where
// it was. A reader sees the state before a change or after it. Files of other shards, programs and options are left
// alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tools/shards/campaign.hpp"

namespace warpfiber::tools::shards {

class StateFile {
 public:
  /// A text as a document; discarded where it is none of the command's.
  using ReadDocument = std::function<ShardJson(const std::string& text)>;

  /// Where `path` is empty, or no file as a terminal is none, nothing is kept.
  StateFile(std::string path, Campaign campaign, const ShardProgress& progress);

  /// Reads what an earlier call has left, or makes the file with `fresh`, the document of no runs. Why that is not
  /// possible; empty: it was.
  std::string open(ShardJson fresh, const ReadDocument& read);

  /// The document of an earlier call that has run something; null: there is none.
  const ShardJson& known() const { return known_; }
  const Campaign& campaign() const { return campaign_; }
  const ShardProgress& progress() const { return progress_; }

  /// `ran` of the shard's seeds have led to the document. Why it cannot be written; empty: it was.
  std::string save(ShardJson document, std::uint64_t ran);

  /// Nothing more is run: how far the shard has come.
  void end(std::uint64_t ran, ShardEnd end);

 private:
  std::string complaint_about(ShardJson document);

  const std::string path_;  // empty: nothing is kept
  const Campaign campaign_;
  ShardProgress progress_;
  ShardJson known_;
};

}  // namespace warpfiber::tools::shards
