// SPDX-License-Identifier: Apache-2.0
// A part of NVIDIA's curand_kernel.h; here all of it.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CURAND_GLOBALS_H

#include <curand_kernel.h>
