// SPDX-License-Identifier: Apache-2.0
// What the checker keeps of a resident block: its clocks and its shared memory. Belongs to one worker.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check/order/clocks.hpp"
#include "check/order/lane_meetings.hpp"
#include "check/violations/violations.hpp"
#include "memory/shared_arena.hpp"

namespace warpfiber::check {

/// An access to the shared memory of another block.
struct PeerAccess {
  Side side;
  std::uint32_t time = 0;
  const void* address = nullptr;
  MemoryPlace place{};
};

struct BlockShadow {
  BlockClocks clocks;
  const memory::SharedArena* arena = nullptr;
  std::uint64_t cluster = 0;  // number of its cluster
  bool met_cluster = false;   // its cluster's barrier has been passed: all of the cluster's blocks have started
  bool ended = false;         // but others of its cluster have not, so that its shared memory is still there
  std::vector<LaneMeetings> meetings;     // of the lanes of each warp
  std::vector<PeerAccess> peer_accesses;  // by threads of other blocks, which have to end before it does
};

/// The blocks of a launch whose shared memory is there.
class BlockShadows {
 public:
  void add(BlockShadow& block) {
    if (std::ranges::find(blocks_, &block) == blocks_.end()) blocks_.push_back(&block);
  }
  void remove(BlockShadow& block) { std::erase(blocks_, &block); }
  const std::vector<BlockShadow*>& all() const { return blocks_; }

  /// The block in whose shared memory the address is, as `running`, a block of a launch with clusters, reaches it; null
  /// where there is none.
  BlockShadow* owner_of(const void* address, const BlockShadow& running) const {
    const auto owner = std::ranges::find_if(blocks_, [&](const BlockShadow* block) {
      return (!block->ended || block->cluster == running.cluster) && block->arena->owns(address);
    });
    return owner == blocks_.end() ? nullptr : *owner;
  }

 private:
  std::vector<BlockShadow*> blocks_;
};

}  // namespace warpfiber::check
