// SPDX-License-Identifier: Apache-2.0
//
// What the host computes for MTGP32 in kernels: the first words of a state, and the sets as kernels read them.
#pragma once

#include <warpfiber/cuda/curand/mtgp32_states.hpp>

#include <cstdint>
#include <vector>

namespace warpfiber::random {

/// The sets in the order of kernels. There are CURAND_NUM_MTGP32_PARAMS at `sets`.
mtgp32_kernel_params_t mtgp32_kernel_sets(const mtgp32_params_fast_t* sets);

/// A state for each of the first `count` sets, which kernels read at `kernel_sets`. States differ by their seeds as
/// well.
std::vector<curandStateMtgp32> mtgp32_states(const mtgp32_params_fast_t* sets, mtgp32_kernel_params_t* kernel_sets,
                                             unsigned count, std::uint64_t seed);

}  // namespace warpfiber::random
