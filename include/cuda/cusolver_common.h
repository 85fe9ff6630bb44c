// SPDX-License-Identifier: Apache-2.0
// Types of cuSOLVER. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

// Samples ask whether it is defined.
#define CUSOLVER_COMMON_H_

#include <library_types.h>
#include <warpfiber/cuda/cusolver/types.h>
