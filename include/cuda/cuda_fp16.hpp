// SPDX-License-Identifier: Apache-2.0
// All of CUDA's 16-bit numbers is in cuda_fp16.h.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_FP16_HPP__

#include <cuda_fp16.h>
