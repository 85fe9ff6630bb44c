// SPDX-License-Identifier: Apache-2.0
// Functions of cuSOLVER that are not modelled. They can be linked, return CUSOLVER_STATUS_NOT_SUPPORTED, and say so
// once. What they are called with is not looked at.
#include <warpfiber/cuda/cusolver/unmodelled.h>
#include <warpfiber/cuda/cusolver/unmodelled_parts.h>
#include <warpfiber/cuda/cusolver/unmodelled_sparse.h>

#include "cuda_libraries/cusolver/operation.hpp"

#define WARPFIBER_CUSOLVER_REFUSED(function)                                             \
  cusolverStatus_t function(...) {                                                       \
    return warpfiber::cuda_libraries::library_not_modelled<cusolverStatus_t>(#function); \
  }

extern "C" {

WARPFIBER_CUSOLVER_NOT_MODELLED_LIST(WARPFIBER_CUSOLVER_REFUSED)
WARPFIBER_CUSOLVER_SPARSE_NOT_MODELLED_LIST(WARPFIBER_CUSOLVER_REFUSED)
WARPFIBER_CUSOLVER_FACTORS_LIST(WARPFIBER_CUSOLVER_REFUSED)
WARPFIBER_CUSOLVER_REFACTORISATION_LIST(WARPFIBER_CUSOLVER_REFUSED)
WARPFIBER_CUSOLVER_SEVERAL_DEVICES_LIST(WARPFIBER_CUSOLVER_REFUSED)

}  // extern "C"
