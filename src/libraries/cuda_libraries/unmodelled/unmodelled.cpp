// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA's libraries that are not modelled, or that CUDA has removed. They can be linked, return that they
// are not supported, and say so once. What they are called with is not looked at.
#include <warpfiber/cuda/cublas/unmodelled.h>
#include <warpfiber/cuda/cublaslt/unmodelled.h>
#include <warpfiber/cuda/cusolver/unmodelled.h>
#include <warpfiber/cuda/cusolver/unmodelled_parts.h>
#include <warpfiber/cuda/cusolver/unmodelled_sparse.h>
#include <warpfiber/cuda/cusparse/removed.h>

#include "cuda_libraries/cublas/operation.hpp"
#include "cuda_libraries/curand/statuses.hpp"
#include "cuda_libraries/cusolver/operation.hpp"
#include "cuda_libraries/cusparse/descriptors.hpp"

#define WARPFIBER_CUBLAS_REFUSED(function)                                             \
  cublasStatus_t function(...) {                                                       \
    return warpfiber::cuda_libraries::library_not_modelled<cublasStatus_t>(#function); \
  }
#define WARPFIBER_CURAND_REFUSED(function)                                             \
  curandStatus_t function(...) {                                                       \
    return warpfiber::cuda_libraries::library_not_modelled<curandStatus_t>(#function); \
  }
#define WARPFIBER_CUSOLVER_REFUSED(function)                                             \
  cusolverStatus_t function(...) {                                                       \
    return warpfiber::cuda_libraries::library_not_modelled<cusolverStatus_t>(#function); \
  }
#define WARPFIBER_CUSPARSE_REFUSED(function)                                             \
  cusparseStatus_t function(...) {                                                       \
    return warpfiber::cuda_libraries::library_not_modelled<cusparseStatus_t>(#function); \
  }

extern "C" {

WARPFIBER_CUBLAS_NOT_MODELLED_LIST(WARPFIBER_CUBLAS_REFUSED)
WARPFIBER_CUBLAS_WIDE_NOT_MODELLED_LIST(WARPFIBER_CUBLAS_REFUSED)
WARPFIBER_CUBLAS_SEVERAL_DEVICES_LIST(WARPFIBER_CUBLAS_REFUSED)

WARPFIBER_CUBLASLT_NOT_MODELLED_LIST(WARPFIBER_CUBLAS_REFUSED)

WARPFIBER_CURAND_NOT_MODELLED_LIST(WARPFIBER_CURAND_REFUSED)

WARPFIBER_CUSOLVER_NOT_MODELLED_LIST(WARPFIBER_CUSOLVER_REFUSED)
WARPFIBER_CUSOLVER_SPARSE_NOT_MODELLED_LIST(WARPFIBER_CUSOLVER_REFUSED)
WARPFIBER_CUSOLVER_REFACTORISATION_LIST(WARPFIBER_CUSOLVER_REFUSED)
WARPFIBER_CUSOLVER_SEVERAL_DEVICES_LIST(WARPFIBER_CUSOLVER_REFUSED)

WARPFIBER_CUSPARSE_REMOVED_LIST(WARPFIBER_CUSPARSE_REFUSED)

}  // extern "C"

// This header is a list of declarations, which become definitions.
#define WARPFIBER_NOT_MODELLED WARPFIBER_CUSPARSE_REFUSED
#include <warpfiber/cuda/cusparse/unmodelled.h>
