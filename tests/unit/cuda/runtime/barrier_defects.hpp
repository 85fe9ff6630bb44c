// SPDX-License-Identifier: Apache-2.0
// Kernels that use barriers in memory, asynchronous copies and semaphores wrongly (barrier_defects.cpp).
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace warpfiber::test::defects {

// What nobody will ever do is waited for.
__global__ void too_few_arrivals(int* out);
__global__ void each_waits_for_the_other(int* out);
__global__ void half_at_the_block_barrier(int* out);
__global__ void bytes_never_copied(int* out);
__global__ void bytes_never_announced(int* out);
__global__ void stage_never_committed(int* out);
__global__ void latch_of_one_too_many(int* out);
__global__ void semaphore_never_released(int* out);
__global__ void flag_never_stored(int* out);

// Calls that are wrong in themselves.
__global__ void barrier_never_made(int* out);
__global__ void arrivals_in_excess(int* out);
__global__ void count_below_zero(int* out);
__global__ void bytes_in_excess(int* out);
__global__ void misaligned_copy(int* out);
__global__ void ragged_copy(int* out);
__global__ void ragged_copy_of_a_group(int* out);
__global__ void copy_of_five_bytes(int* out);
__global__ void copy_to_global(int* out);
__global__ void more_producers_than_threads(int* out);

// Nothing is wrong.
__global__ void barriers_used_well(int* out);

}  // namespace warpfiber::test::defects
