// SPDX-License-Identifier: Apache-2.0
// cuBLASLt. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <cublas_api.h>
#include <cuda_runtime_api.h>
#include <warpfiber/cuda/cublaslt/host_api.h>
#include <warpfiber/cuda/cublaslt/unmodelled.h>
