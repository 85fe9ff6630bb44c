// SPDX-License-Identifier: Apache-2.0
// CUDA's built-in vector types and dim3. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __VECTOR_TYPES_H__

#include <crt/host_defines.h>
#include <warpfiber/cuda/api/vector_types.h>
