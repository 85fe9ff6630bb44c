// SPDX-License-Identifier: Apache-2.0
// Functions of cuBLASLt that are not modelled. They can be linked, return CUBLAS_STATUS_NOT_SUPPORTED, and say so once.
// What they are called with is not looked at.
#include <warpfiber/cuda/cublaslt/unmodelled.h>

#include "cuda_libraries/cublas/operation.hpp"

#define WARPFIBER_NOT_MODELLED(function)                                               \
  cublasStatus_t function(...) {                                                       \
    return warpfiber::cuda_libraries::library_not_modelled<cublasStatus_t>(#function); \
  }

extern "C" {

WARPFIBER_CUBLASLT_NOT_MODELLED_LIST(WARPFIBER_NOT_MODELLED)

}  // extern "C"

#undef WARPFIBER_NOT_MODELLED
