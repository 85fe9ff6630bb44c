// SPDX-License-Identifier: Apache-2.0
// All of CUDA's numbers of 4 bits is in cuda_fp4.h.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_FP4_HPP__

#include <cuda_fp4.h>
