// SPDX-License-Identifier: Apache-2.0
// CUDA's floating-point numbers of 8 bits; C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

#include <assert.h>  // as NVIDIA's does: programs use it
#include <cuda_bf16.h>
#include <warpfiber/fp8.hpp>
