// SPDX-License-Identifier: Apache-2.0
// All of CUDA's bfloat16 numbers is in cuda_bf16.h.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_BF16_HPP__

#include <cuda_bf16.h>
