// SPDX-License-Identifier: Apache-2.0
// PyTorch's checks of CUDA's errors, for a PyTorch without CUDA.
#pragma once

#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>

#define C10_CUDA_CHECK(EXPR)                                                                        \
  do {                                                                                              \
    const cudaError_t c10_cuda_error = EXPR;                                                        \
    TORCH_CHECK(c10_cuda_error == cudaSuccess, "CUDA error: ", cudaGetErrorString(c10_cuda_error)); \
  } while (0)

#define C10_CUDA_CHECK_WARN(EXPR)                                                                        \
  do {                                                                                                   \
    const cudaError_t c10_cuda_error = EXPR;                                                             \
    if (c10_cuda_error != cudaSuccess) TORCH_WARN("CUDA warning: ", cudaGetErrorString(c10_cuda_error)); \
  } while (0)

#define C10_CUDA_ERROR_HANDLED(EXPR) EXPR
#define C10_CUDA_IGNORE_ERROR(EXPR)                      \
  do {                                                   \
    if ((EXPR) != cudaSuccess) (void)cudaGetLastError(); \
  } while (0)
#define C10_CUDA_CLEAR_ERROR() (void)cudaGetLastError()
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#ifndef AT_CUDA_CHECK
#define AT_CUDA_CHECK(EXPR) C10_CUDA_CHECK(EXPR)
#endif
