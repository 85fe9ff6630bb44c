// SPDX-License-Identifier: Apache-2.0
// How cells number the threads of a launch, and which warp, block and cluster a number is of. Immutable.
#pragma once

#include <warpfiber/detail/vector_types.hpp>

#include <cstdint>

#include "base/index.hpp"
#include "check/cells/cell.hpp"
#include "check/order/vector_clock.hpp"
#include "record/finding.hpp"

namespace warpfiber::check {

/// What a launch is, for the numbering of its threads.
struct GridShape {
  base::Triple grid{1, 1, 1};
  base::Triple block{1, 1, 1};
  base::Triple cluster{1, 1, 1};
  unsigned warp_size = 32;
};

class ThreadNumbering {
 public:
  explicit ThreadNumbering(const GridShape& shape);

  const GridShape& shape() const { return shape_; }
  bool has_clusters() const { return clusters_; }
  unsigned threads_of_block() const { return threads_; }
  /// Warps are 2^shift wide; 0: they are not.
  unsigned warp_shift() const { return warp_shift_; }
  /// Bits of a thread's rank in its number.
  unsigned thread_bits() const { return thread_bits_; }

  std::uint64_t number_of(std::uint64_t block, unsigned rank) const {
    return (block << thread_bits_ | rank) & kThreadMask;
  }
  unsigned rank_at(const uint3& index) const { return index.x + shape_.block.x * (index.y + shape_.block.y * index.z); }
  unsigned rank_of(std::uint64_t thread) const {
    return static_cast<unsigned>(thread & ((std::uint64_t{1} << thread_bits_) - 1));
  }
  /// The rank of its block.
  std::uint64_t block_of(std::uint64_t thread) const { return thread >> thread_bits_; }
  unsigned warp_of_rank(unsigned rank) const {
    return warp_shift_ != 0 ? rank >> warp_shift_ : rank / shape_.warp_size;
  }
  unsigned warp_of(Cell cell) const { return warp_of_rank(rank_of(thread_of(cell))); }
  Who who_of(std::uint64_t thread) const {
    const unsigned rank = rank_of(thread);
    const unsigned warp = warp_of_rank(rank);
    return {block_of(thread), warp, rank - warp * shape_.warp_size};
  }
  std::uint64_t cluster_of(std::uint64_t block) const;
  /// As findings name a thread: its block's rank times the threads of a block, and its rank in it.
  std::uint64_t finding_id(std::uint64_t thread) const { return block_of(thread) * threads_ + rank_of(thread); }

  /// The narrowest barrier that would order the two.
  record::Width width_between(std::uint64_t one, std::uint64_t other) const;
  /// 0: of the same warp, 1: of the same block, 2: of the same cluster, 3: of another.
  unsigned distance(Cell one, Cell other) const {
    return static_cast<unsigned>(width_between(thread_of(one), thread_of(other)));
  }

 private:
  GridShape shape_;
  unsigned threads_;
  unsigned warp_shift_;
  unsigned thread_bits_;
  bool clusters_;
};

}  // namespace warpfiber::check
