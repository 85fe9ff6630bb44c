// SPDX-License-Identifier: Apache-2.0
// cuRAND's host interface. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CURAND_H_

#include <cuda_runtime.h>
#include <library_types.h>
#include <warpfiber/cuda/curand/host_api.h>

WARPFIBER_C_BEGIN

curandStatus_t curandGetProperty(libraryPropertyType type, int* value);

WARPFIBER_C_END
