// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's refactorisation of sparse matrices. Its functions of batches return CUSOLVER_STATUS_NOT_SUPPORTED. C and
// C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CUSOLVERRF_H_

#include <cuComplex.h>
#include <cuda_runtime.h>
#include <cusolver_common.h>
#include <warpfiber/cuda/cusolver/refactorisation_api.h>
#include <warpfiber/cuda/cusolver/unmodelled_parts.h>

WARPFIBER_C_BEGIN
WARPFIBER_CUSOLVER_REFACTORISATION_LIST(WARPFIBER_CUSOLVER_DECLARE)
WARPFIBER_C_END
