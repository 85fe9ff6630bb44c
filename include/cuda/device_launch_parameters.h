// SPDX-License-Identifier: Apache-2.0
// threadIdx, blockIdx, blockDim, gridDim and warpSize, in CUDA source.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __DEVICE_LAUNCH_PARAMETERS_H__

#include <vector_types.h>

#ifdef __CUDACC__
#include <warpfiber/intrinsics/device_code.hpp>
#endif
