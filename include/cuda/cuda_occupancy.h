// SPDX-License-Identifier: Apache-2.0
// Included by libraries for the calculator of NVIDIA's that works without a device. It is not here: the runtime's
// cudaOccupancy functions calculate the same (docs/devices.md).
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __cuda_occupancy_h__

#include <cuda_runtime_api.h>
