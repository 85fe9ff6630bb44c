// SPDX-License-Identifier: Apache-2.0
// Ranks of threads, warps and clusters from their numbers.
#include "check/running/numbering.hpp"

#include <bit>

namespace warpfiber::check {

ThreadNumbering::ThreadNumbering(const GridShape& shape)
    : shape_(shape),
      threads_(static_cast<unsigned>(base::volume(shape.block))),
      warp_shift_(std::has_single_bit(shape.warp_size) ? static_cast<unsigned>(std::countr_zero(shape.warp_size)) : 0),
      thread_bits_(static_cast<unsigned>(std::bit_width(threads_ - 1))),
      clusters_(base::volume(shape.cluster) > 1) {}

std::uint64_t ThreadNumbering::cluster_of(std::uint64_t block) const {
  const base::Triple at = base::unlinear(block, shape_.grid);
  const base::Triple tiles{shape_.grid.x / shape_.cluster.x, shape_.grid.y / shape_.cluster.y,
                           shape_.grid.z / shape_.cluster.z};
  const base::Triple tile{at.x / shape_.cluster.x, at.y / shape_.cluster.y, at.z / shape_.cluster.z};
  return base::linear_index(tile, tiles);
}

record::Width ThreadNumbering::width_between(std::uint64_t one, std::uint64_t other) const {
  const Who a = who_of(one);
  const Who b = who_of(other);
  if (a.block == b.block) return a.warp == b.warp ? record::Width::warp : record::Width::block;
  return clusters_ && cluster_of(a.block) == cluster_of(b.block) ? record::Width::cluster : record::Width::grid;
}

}  // namespace warpfiber::check
