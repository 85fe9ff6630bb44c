// SPDX-License-Identifier: Apache-2.0
// The tables of registry.hpp.
#include "registry.hpp"

#include "basics/basics.hpp"
#include "clusters/clusters.hpp"
#include "cooperative_groups/reductions.hpp"
#include "defects/defects.hpp"
#include "grid/grid.hpp"
#include "warp/warp.hpp"

namespace gallery {

namespace {

constexpr unsigned kAnyBlock[] = {1, 31, 32, 33, 96, 1000, 1024};
constexpr unsigned kWholeRows[] = {32, 96, 1024};
constexpr unsigned kSquares[] = {64, 256, 1024};

const Exhibit kExhibits[] = {
    {"basics", "vector_add", run_vector_add, {.size = 1 << 20}, kAnyBlock},
    {"basics", "saxpy", run_saxpy, {.size = 1 << 20, .grid = 264}, kAnyBlock},
    {"basics", "matrix_transpose", run_matrix_transpose, {.size = 1000}, kWholeRows},
    {"basics", "matrix_product", run_matrix_product, {.size = 256}, kSquares},
    {"basics", "histogram", run_histogram, {.grid = 16}, kAnyBlock},
    {"cooperative_groups", "tree_reduction", run_tree_reduction, {.size = 1 << 18}, kAnyBlock},
    {"cooperative_groups", "tile_reduction", run_tile_reduction, {.size = 1 << 18}, kAnyBlock},
    {"warp", "increment_opportunistic", run_increment_opportunistic, {.size = 1 << 18}, kAnyBlock},
    {"warp", "increment_masked", run_increment_masked, {.size = 1 << 18}, kAnyBlock},
    {"warp", "masked_halves", run_masked_halves, {.size = 1 << 18}, kAnyBlock},
    {"warp", "aligned_copy", run_aligned_copy, {.size = 1 << 16}, kAnyBlock},
    {"clusters", "neighbour_sums", run_neighbour_sums, {.size = 1 << 16, .cluster = 4}, kAnyBlock},
    {"grid", "opposite_rows", run_opposite_rows, {.size = 256, .grid = 32, .block = 32}, kAnyBlock},
    {"grid", "producer_consumer", run_producer_consumer, {.size = 400, .grid = 9, .block = 64}, kAnyBlock},
    {"grid", "lookback_scan", run_lookback_scan, {.size = 1 << 18}, kAnyBlock},
    {"grid", "conjugate_gradient", run_conjugate_gradient, {.grid = 16}, kAnyBlock},
};

const Defect kLockstepDefects[] = {
    {"sum_missing_syncwarp",
     "defects/sum_missing_syncwarp.hpp",
     "a lane reads a cell that its neighbour is adding to",
     run_sum_missing_syncwarp,
     run_sum_missing_syncwarp_corrected,
     {}},
    {"mask_from_activemask",
     "defects/mask_from_activemask.hpp",
     "takes the lanes that run together for all lanes here",
     run_mask_from_activemask,
     run_mask_from_activemask_corrected,
     {}},
    {"vote_after_branch",
     "defects/vote_after_branch.hpp",
     "assumes that lanes meet again after a branch",
     run_vote_after_branch,
     run_vote_after_branch_corrected,
     {}},
    {"shuffle_between_syncwarps",
     "defects/shuffle_between_syncwarps.hpp",
     "assumes that lanes stay together after __syncwarp()",
     run_shuffle_between_syncwarps,
     run_shuffle_between_syncwarps_corrected,
     {}},
};

const Defect kHangs[] = {
    {"oversized_grid_barrier",
     "defects/oversized_grid_barrier.hpp",
     "a hand-made grid barrier, more blocks than fit",
     run_oversized_grid_barrier,
     run_oversized_grid_barrier_corrected,
     {.grid = 160}},
    {"shuffle_against_barrier",
     "defects/shuffle_against_barrier.hpp",
     "half a warp in a shuffle, half at a barrier",
     run_shuffle_against_barrier,
     run_shuffle_against_barrier_corrected,
     {}},
    {"lock_order",
     "defects/lock_order.hpp",
     "two locks, taken in opposite order",
     run_lock_order,
     run_lock_order_corrected,
     {}},
    {"unequal_trip_counts",
     "defects/unequal_trip_counts.hpp",
     "a barrier in a loop of unequal length",
     run_unequal_trip_counts,
     run_unequal_trip_counts_corrected,
     {}},
};

}  // namespace

std::span<const Exhibit> exhibits() {
  return kExhibits;
}

std::span<const Defect> lockstep_defects() {
  return kLockstepDefects;
}

std::span<const Defect> hangs() {
  return kHangs;
}

const Exhibit* find_exhibit(std::string_view name) {
  for (const Exhibit& exhibit : kExhibits) {
    if (name == exhibit.name) return &exhibit;
  }
  return nullptr;
}

}  // namespace gallery
