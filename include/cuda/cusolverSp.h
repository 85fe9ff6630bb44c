// SPDX-License-Identifier: Apache-2.0
// cuSOLVER for sparse matrices: handles, solutions of systems, orders of rows. The other functions return
// CUSOLVER_STATUS_NOT_SUPPORTED. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CUSOLVERSP_H_

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolver_common.h>
#include <cusparse.h>
#include <warpfiber/cuda/cusolver/sparse_api.h>
#include <warpfiber/cuda/cusolver/unmodelled_sparse.h>
