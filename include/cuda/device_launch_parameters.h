// SPDX-License-Identifier: Apache-2.0
// threadIdx, blockIdx, blockDim, gridDim and warpSize, in CUDA source.
#pragma once

#define __DEVICE_LAUNCH_PARAMETERS_H__

#include <vector_types.h>

#ifdef __CUDACC__
#include <warpfiber/intrinsics/device_code.hpp>
#endif
