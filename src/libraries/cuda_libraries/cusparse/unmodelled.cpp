// SPDX-License-Identifier: Apache-2.0
// Functions of cuSPARSE that are not modelled, or that CUDA has removed. They can be linked, return
// CUSPARSE_STATUS_NOT_SUPPORTED, and say so once.
#include <warpfiber/cuda/cusparse/removed.h>

#include "cuda_libraries/cusparse/descriptors.hpp"

#define WARPFIBER_NOT_MODELLED(function)                                                 \
  cusparseStatus_t function(...) {                                                       \
    return warpfiber::cuda_libraries::library_not_modelled<cusparseStatus_t>(#function); \
  }
#include <warpfiber/cuda/cusparse/unmodelled.h>

#define WARPFIBER_REMOVED(function)                                                      \
  cusparseStatus_t function(...) {                                                       \
    return warpfiber::cuda_libraries::library_not_modelled<cusparseStatus_t>(#function); \
  }

extern "C" {

WARPFIBER_CUSPARSE_REMOVED_LIST(WARPFIBER_REMOVED)

}  // extern "C"
