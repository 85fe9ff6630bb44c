// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime as C and C++ programs call it. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_RUNTIME_API_H__

#include <builtin_types.h>
#include <cuda_device_runtime_api.h>
#include <warpfiber/cuda/api/runtime.h>
