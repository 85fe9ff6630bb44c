// SPDX-License-Identifier: Apache-2.0
// cuFFT. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

// Samples ask whether it is defined.
#define _CUFFT_H_

#include <cuComplex.h>
#include <cuda_runtime.h>
#include <library_types.h>
#include <warpfiber/cuda/cufft/host_api.h>

WARPFIBER_C_BEGIN

cufftResult cufftGetProperty(libraryPropertyType type, int* value);

WARPFIBER_C_END
