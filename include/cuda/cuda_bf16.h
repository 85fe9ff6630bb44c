// SPDX-License-Identifier: Apache-2.0
// CUDA's numbers of 16 bits with the exponents of float; C++. In CUDA source with the functions that reach memory.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#include <cuda_fp16.h>
#ifdef __CUDACC__
#include <warpfiber/bfloat16_memory.hpp>
#else
#include <warpfiber/bfloat16.hpp>
#endif
