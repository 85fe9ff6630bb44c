// SPDX-License-Identifier: Apache-2.0
//
// The mistake that a header of the device's code has found in a call of a group's function.
#pragma once

#include <warpfiber/detail/group.hpp>

#include "record/mistake.hpp"

namespace warpfiber::record {

constexpr Mistake mistake_of(detail::GroupMisuse what) {
  using detail::GroupMisuse;
  switch (what) {
    case GroupMisuse::tile_not_within_warp: return Mistake::tile_not_within_warp;
    case GroupMisuse::tile_not_within_cluster: return Mistake::tile_not_within_cluster;
    case GroupMisuse::tile_size_not_supported: return Mistake::tile_size_not_supported;
    case GroupMisuse::piece_sizes_differ: return Mistake::piece_sizes_differ;
    case GroupMisuse::grid_partitioned: return Mistake::grid_partitioned;
    case GroupMisuse::stride_zero: return Mistake::stride_zero;
    case GroupMisuse::strides_differ: return Mistake::strides_differ;
    case GroupMisuse::group_of_other_block: return Mistake::group_of_other_block;
    case GroupMisuse::collectives_of_threads_differ: return Mistake::collectives_of_threads_differ;
    case GroupMisuse::collectives_of_blocks_differ: return Mistake::collectives_of_blocks_differ;
    case GroupMisuse::function_not_of_multi_grid: return Mistake::function_not_of_multi_grid;
    case GroupMisuse::block_tile_memory_too_small: return Mistake::block_tile_memory_too_small;
    case GroupMisuse::destinations_of_result_differ: return Mistake::destinations_of_result_differ;
    case GroupMisuse::source_not_in_group: return Mistake::source_not_in_group;
    case GroupMisuse::source_not_in_tile: return Mistake::source_not_in_tile;
    case GroupMisuse::sources_differ: return Mistake::sources_differ;
    case GroupMisuse::producers_exceed_group: return Mistake::producers_exceed_group;
  }
  __builtin_unreachable();
}

}  // namespace warpfiber::record
