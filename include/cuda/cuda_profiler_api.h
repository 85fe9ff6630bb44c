// SPDX-License-Identifier: Apache-2.0
// The profiler's switch: accepted, and there is nothing to switch. C and C++.
#pragma once

#include <driver_types.h>
#include <warpfiber/cuda/api/linkage.h>

WARPFIBER_C_BEGIN
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
WARPFIBER_C_END
