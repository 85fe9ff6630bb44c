// SPDX-License-Identifier: Apache-2.0
//
// Access to memory for __nv_bfloat16 and __nv_bfloat162: atomicAdd, rounded to nearest even and with subnormal numbers
// kept (PTX ISA, "atom", .noftz), and the loads and stores with cache hints of cache_access.hpp. Shuffles take these
// types as they are. Of a pair each half is an atomic of its own, the whole is not. Kernels and host code may call
// them.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#if defined(__CUDACC__) && !defined(__WARPFIBER__)

#include <cuda_bf16.h>

#else

#include <warpfiber/bfloat16.hpp>
#include <warpfiber/intrinsics/narrow_memory.hpp>

WARPFIBER_NARROW_MEMORY(__nv_bfloat16, __nv_bfloat162, bfloat16)

#endif
