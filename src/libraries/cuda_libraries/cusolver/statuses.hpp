// SPDX-License-Identifier: Apache-2.0
// Statuses of cuSOLVER, dense and sparse, and how its calls end.
#pragma once

#include <warpfiber/cuda/cusolver/types.h>

#include "cuda_libraries/library_call.hpp"

namespace warpfiber::cuda_libraries {

using SolverResult = LibraryResult<cusolverStatus_t>;

struct CusolverStatuses {
  static constexpr cusolverStatus_t in_kernel = CUSOLVER_STATUS_INTERNAL_ERROR;
  static constexpr cusolverStatus_t in_forked_child = CUSOLVER_STATUS_NOT_INITIALIZED;
  static constexpr cusolverStatus_t no_memory = CUSOLVER_STATUS_ALLOC_FAILED;
  static constexpr cusolverStatus_t not_supported = CUSOLVER_STATUS_NOT_SUPPORTED;
  static constexpr cusolverStatus_t invalid_value = CUSOLVER_STATUS_INVALID_VALUE;
  static constexpr const char* page = "docs/cusolver.md";
  static const char* name(cusolverStatus_t status);
};

}  // namespace warpfiber::cuda_libraries

/// Found by the type of its argument.
warpfiber::cuda_libraries::CusolverStatuses library_statuses(cusolverStatus_t status);
