// SPDX-License-Identifier: Apache-2.0
// What functions of cuRAND return where every library has something to say (abi/library_call.hpp).
#pragma once

#include <warpfiber/cuda/curand/host_api.h>

#include "cuda_libraries/library_call.hpp"

namespace warpfiber::cuda_libraries {

using CurandResult = LibraryResult<curandStatus_t>;

struct CurandStatuses {
  static constexpr curandStatus_t in_kernel = CURAND_STATUS_INTERNAL_ERROR;
  static constexpr curandStatus_t in_forked_child = CURAND_STATUS_INITIALIZATION_FAILED;
  static constexpr curandStatus_t no_memory = CURAND_STATUS_ALLOCATION_FAILED;
  static constexpr curandStatus_t not_supported = CURAND_STATUS_TYPE_ERROR;
  static constexpr const char* page = "docs/curand.md";
  /// "CURAND_STATUS_OUT_OF_RANGE".
  static const char* name(curandStatus_t status);
};

/// Of Poisson's distribution.
CurandResult check_mean(double mean);

}  // namespace warpfiber::cuda_libraries

/// Found by the type of its argument.
warpfiber::cuda_libraries::CurandStatuses library_statuses(curandStatus_t status);
