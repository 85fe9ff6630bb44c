// SPDX-License-Identifier: Apache-2.0
// cuSOLVER for dense matrices. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

// Samples ask whether it is defined.
#define CUSOLVERDN_H_

#include <cuComplex.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolver_common.h>
#include <warpfiber/cuda/cusolver/dense_api.h>
#include <warpfiber/cuda/cusolver/generic_api.h>
#include <warpfiber/cuda/cusolver/unmodelled.h>
