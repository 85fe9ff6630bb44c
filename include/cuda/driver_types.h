// SPDX-License-Identifier: Apache-2.0
// The types of CUDA's runtime: errors, handles, properties, attributes, parameters. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define __DRIVER_TYPES_H__

#include <crt/host_defines.h>
#include <limits.h>
#include <stddef.h>
#include <vector_types.h>
#include <warpfiber/cuda/api/types.h>
