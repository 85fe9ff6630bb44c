// SPDX-License-Identifier: Apache-2.0
// cuBLASXt, products of the host's matrices. Packed triangles, and shares of work for the host, return
// CUBLAS_STATUS_NOT_SUPPORTED. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CUBLAS_XT_H_

#include <cublas_v2.h>
#include <warpfiber/cuda/cublas/xt_api.h>

WARPFIBER_C_BEGIN
WARPFIBER_CUBLAS_SEVERAL_DEVICES_LIST(WARPFIBER_CUBLAS_DECLARE)
WARPFIBER_C_END
