// SPDX-License-Identifier: Apache-2.0
// Which clusters of the grid a worker starts, and whether there is room for them: its share of the grid,
// its places on the device, and the memory that resident blocks live in, which is used again.
// Invariant: a cluster that was taken is started by this worker or by none.
#pragma once

#include <warpfiber/detail/config.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/state/block.hpp"
#include "engine/state/grid.hpp"

namespace warpfiber::engine {

// How many clusters a worker takes from a grid at once. Workers that take turns at small pieces of an array read lines
// that the others write, which costs a memory-bound kernel of small blocks half its speed; one that takes too much
// keeps the others waiting at the end.

/// While blocks never wait, a worker takes chunks of twice as many, up to this many.
inline constexpr unsigned kLargestChunk = 1024;
/// A worker leaves this many chunks of the same length for each worker, itself included.
inline constexpr std::uint64_t kChunksLeft = 4;

/// The length of the next chunk of a worker that wants `wanted` of the `left` clusters that no worker has taken.
inline std::uint64_t chunk_length(std::uint64_t wanted, std::uint64_t left, std::uint64_t workers) {
  if (workers == 1) return wanted;
  return std::clamp<std::uint64_t>(left / (kChunksLeft * workers), 1, wanted);
}

class Admission {
 public:
  /// A worker has one place of its own, so that running one block after another touches nothing shared.
  void begin(Grid& grid);
  /// Blocks in `resident` have not finished.
  void end(const std::vector<ResidentBlock*>& resident);

  bool has_unstarted() const {
    return chunk_next_ != chunk_end_ || grid_->next_cluster.load(std::memory_order_relaxed) < grid_->clusters;
  }
  /// Whether there is a cluster to start, and room for it.
  bool may_admit() const { return has_unstarted() && (has_place_ || grid_->free_places.load() > 0); }

  /// A place on the device for one more cluster: this worker's own, or one of those that all share.
  bool take_place();
  void give_place();
  /// Room on a shared device that no block of this launch will need any more: it is for other launches.
  std::uint64_t take_spare_places();

  /// The next cluster to start; false if there is none left.
  bool take_cluster(std::uint64_t& rank) {
    if (WARPFIBER_UNLIKELY(chunk_next_ == chunk_end_) && !take_chunk()) return false;
    rank = chunk_next_++;
    return true;
  }
  /// A block has ended in which no thread has waited. Returns how many have, one after another.
  unsigned note_unwaited_block() {
    if (chunk_next_ == chunk_end_ && chunk_size_ < kLargestChunk) chunk_size_ *= 2;
    return ++blocks_unwaited_;
  }
  /// Somebody waits in a block: others may have to wait for the next ones of this worker.
  void note_wait() {
    chunk_size_ = 1;
    blocks_unwaited_ = 0;
  }
  /// Nothing is left to do in what has not started.
  void skip_the_rest();

  /// Null where there is no memory for the block's dynamic shared memory.
  ResidentBlock* free_slot();
  Cluster* free_cluster();
  void release(ResidentBlock& block) { free_slots_.push_back(&block); }
  void release(Cluster& cluster) { free_clusters_.push_back(&cluster); }

  /// Coordinates of member `member` of cluster `rank`: clusters tile the grid, x fastest in both.
  uint3 member_index(std::uint64_t rank, unsigned member) const;
  /// Blocks that this worker has taken and not started.
  void append_unstarted(std::vector<std::uint64_t>& blocks) const;

 private:
  bool take_chunk();
  void rest_shared_memory(ResidentBlock& block);

  Grid* grid_ = nullptr;
  std::uint64_t chunk_next_ = 0;  // clusters this worker has taken and not started
  std::uint64_t chunk_end_ = 0;
  unsigned chunk_size_ = 1;       // wanted; it may get less
  unsigned blocks_unwaited_ = 0;  // that followed one another
  bool has_place_ = false;        // this worker's own place for a cluster is free
  std::vector<std::unique_ptr<ResidentBlock>> slots_;
  std::vector<ResidentBlock*> free_slots_;
  std::vector<std::unique_ptr<Cluster>> clusters_;
  std::vector<Cluster*> free_clusters_;
};

}  // namespace warpfiber::engine
