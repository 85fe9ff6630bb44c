// SPDX-License-Identifier: Apache-2.0
// Kernels that use cooperative groups wrongly (group_defects.cpp).
#pragma once

#include <warpfiber/cooperative_groups.hpp>
#include <warpfiber/warpfiber.hpp>

namespace warpfiber::test::defects {

// Not all threads of a group come to the same call.
__global__ void coalesced_group_outlives_branch(int* out);
__global__ void tile_of_half_a_warp(int* out);
__global__ void foreign_group(int* out);
__global__ void different_calls(int* out);
__global__ void overlapping_groups(int* out);
__global__ void convoy_with_a_gap(int* out);
__global__ void large_tile_in_part(int* out);
__global__ void group_against_intrinsic(int* out);
__global__ void tiles_of_two_branches(int* out);
__global__ void tiles_made_twice(int* out);

// Arguments that are wrong, or differ where they have to be equal.
__global__ void unequal_pieces(int* out);
__global__ void piece_of_three(int* out);
__global__ void rank_beyond_group(int* out);
__global__ void rank_beyond_tile(int* out);
__global__ void unequal_ranks_in_tile(int* out);
__global__ void no_stride(int* out);
__global__ void tile_wider_than_warp(int* out);
__global__ void rank_of_no_shared_memory(int* out);
__global__ void token_used_twice(int* out);
__global__ void grid_of_no_cut(int* out);

}  // namespace warpfiber::test::defects
