// SPDX-License-Identifier: Apache-2.0
// CUDA's numbers of 16 bits, IEEE 754 binary16; C++. In CUDA source with the functions that reach memory.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#include <cuda_runtime_api.h>
#include <vector_functions.h>
#ifdef __CUDACC__
#include <cuda_runtime.h>
#include <warpfiber/half_memory.hpp>
#else
#include <warpfiber/half.hpp>
#endif
