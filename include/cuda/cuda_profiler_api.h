// SPDX-License-Identifier: Apache-2.0
// The profiler's switch: accepted, and there is nothing to switch. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __CUDA_PROFILER_API_H__

#include <driver_types.h>
#include <warpfiber/cuda/api/linkage.h>

WARPFIBER_C_BEGIN
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
WARPFIBER_C_END
