// SPDX-License-Identifier: Apache-2.0
// Types of pointers to the functions of CUDA's driver interface, with and without a version: PFN_cuMemAlloc_v3020 and
// PFN_cuMemAlloc. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CUDATYPEDEFS_H

#include <cuda.h>
#include <warpfiber/cuda/driver/function_list.h>

#define WARPFIBER_POINTER_TYPES(name, version)       \
  typedef __typeof__(name)* PFN_##name##_v##version; \
  typedef __typeof__(name)* PFN_##name;
WARPFIBER_DRIVER_FUNCTIONS(WARPFIBER_POINTER_TYPES)
#undef WARPFIBER_POINTER_TYPES
