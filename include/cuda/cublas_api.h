// SPDX-License-Identifier: Apache-2.0
// cuBLAS under the names that programs use, with those that say the interface's version. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

// Samples ask whether it is defined.
#define CUBLAS_API_H_

#include <cuComplex.h>
#include <cuda_runtime.h>
#ifdef __cplusplus
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif
#include <warpfiber/cuda/cublas/host_api.h>
#ifdef __cplusplus
#include <warpfiber/cuda/cublas/older_types.hpp>
#endif
#include <warpfiber/cuda/cublas/structured.h>
#include <warpfiber/cuda/cublas/typed_api.h>
#include <warpfiber/cuda/cublas/unmodelled.h>
#include <warpfiber/cuda/cublas/versioned_names.h>

#define CUBLASWINAPI
typedef cudaDataType cublasDataType_t;
