// SPDX-License-Identifier: Apache-2.0
// cuSOLVER for several devices. Nothing is modelled: its functions return CUSOLVER_STATUS_NOT_SUPPORTED. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CUSOLVERMG_H_

#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <warpfiber/cuda/cusolver/unmodelled_parts.h>

typedef struct cusolverMgContext* cusolverMgHandle_t;
typedef void* cudaLibMgGrid_t;
typedef void* cudaLibMgMatrixDesc_t;

typedef enum {
  CUDALIBMG_GRID_MAPPING_ROW_MAJOR = 1,
  CUDALIBMG_GRID_MAPPING_COL_MAJOR = 0,
} cusolverMgGridMapping_t;

WARPFIBER_C_BEGIN
WARPFIBER_CUSOLVER_SEVERAL_DEVICES_LIST(WARPFIBER_CUSOLVER_DECLARE)
WARPFIBER_C_END
