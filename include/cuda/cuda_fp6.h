// SPDX-License-Identifier: Apache-2.0
// CUDA's floating-point numbers of 6 bits; C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_FP6_H__
#define __CUDA_FP6_TYPES_EXIST__

#include <cuda_fp8.h>
#include <warpfiber/fp6.hpp>
