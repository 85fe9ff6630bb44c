// SPDX-License-Identifier: Apache-2.0
// cuBLAS's interface before cublas_v2.h: its most used functions of float and double. C++ only.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CUBLAS_H_

#include <cublas_v2.h>
#ifdef __cplusplus
#include <warpfiber/cuda/cublas/without_handle.hpp>
#endif
