// SPDX-License-Identifier: Apache-2.0
// All of CUDA's numbers of 6 bits is in cuda_fp6.h.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_FP6_HPP__

#include <cuda_fp6.h>
