// SPDX-License-Identifier: Apache-2.0
// Kernels that are wrong on purpose (defects.cpp), and what tests ask about their reports. Each kernel is valid CUDA in
// this project's spelling; a report on it quotes defects.cpp.
#pragma once

#include <warpfiber/warpfiber.hpp>

#include <cstdint>
#include <string>

namespace warpfiber::test::defects {

// Threads that wait for what never comes.
__global__ void persistent_sum(unsigned* arrived);
__global__ void plain_grid_barrier(int* rows);
__global__ void block_left_first(int* rows);
__global__ void leader_left_first(int* rows);
__global__ void unequal_rows(int* rows);
__global__ void unequal_steps(int* out);
__global__ void barrier_in_both_branches(int* out);
__global__ void shuffle_against_barrier(int* out);
__global__ void locks_crosswise(int* locks);
__global__ void absent_lanes(int* flag);
__global__ void masks_overlap(int* out);
__global__ void vote_against_shuffle(int* out);
__global__ void caller_not_in_mask(int* out);
__global__ void flag_polled_by_atomic(int* flag);
__global__ void flag_polled_by_load(int* flag);
__global__ void cluster_rank_too_large(int* out);

// Threads that end badly.
__global__ void throws_runtime_error();
__global__ void throws_number();
__global__ void asserts_small(int n);
__global__ void traps();
__global__ void divides(int* divisor);
// The sanitizer would look into its shadow of the address first, and fault there.
__attribute__((no_sanitize_address)) __global__ void writes_at(std::uintptr_t address);
__global__ void reads_null(const int* in, int* out);
__global__ void calls(int (*function)(int), int* out);
__global__ void recurses(int* out);
__global__ void overflows_in_barrier(int* out);
__global__ void large_frame(int* out, int last);
__global__ void large_static_shared(int* out);

/// The line of defects.cpp that holds `text`; exactly one does.
unsigned line_of(const std::string& text);

/// "defects.cpp:31", as reports name that line.
std::string place_of(const std::string& text);

}  // namespace warpfiber::test::defects
