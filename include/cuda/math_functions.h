// SPDX-License-Identifier: Apache-2.0
// Device functions: all come with cuda_runtime.h.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <crt/math_functions.h>
