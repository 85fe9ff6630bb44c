// SPDX-License-Identifier: Apache-2.0
// Arrays on several devices, as cuFFT describes them. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define _CUDA_LIB_XT_H_

#include <cuda_runtime.h>
#include <stddef.h>
#include <warpfiber/cuda/cufft/xt_descriptors.h>
