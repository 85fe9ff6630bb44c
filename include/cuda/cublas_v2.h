// SPDX-License-Identifier: Apache-2.0
// cuBLAS. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CUBLAS_V2_H_

#include <cublas_api.h>
