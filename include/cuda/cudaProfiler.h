// SPDX-License-Identifier: Apache-2.0
// The profiler's switch of the driver interface: accepted, and there is nothing to switch. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define cuda_profiler_H

#include <cuda.h>

static inline CUresult cuProfilerStart(void) {
  return CUDA_SUCCESS;
}
static inline CUresult cuProfilerStop(void) {
  return CUDA_SUCCESS;
}
