// SPDX-License-Identifier: Apache-2.0
// The data types that NVIDIA's libraries share. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __LIBRARY_TYPES_H__

#include <warpfiber/cuda/api/library_types.h>
