// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's factors of sparse matrices. None is modelled: they return CUSOLVER_STATUS_NOT_SUPPORTED. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CUSOLVERSP_LOWLEVEL_PREVIEW_H_

#include <cusolverSp.h>
#include <warpfiber/cuda/cusolver/unmodelled_parts.h>

typedef struct csrluInfoHost* csrluInfoHost_t;
typedef struct csrqrInfoHost* csrqrInfoHost_t;
typedef struct csrcholInfoHost* csrcholInfoHost_t;
typedef struct csrcholInfo* csrcholInfo_t;

WARPFIBER_C_BEGIN
WARPFIBER_CUSOLVER_FACTORS_LIST(WARPFIBER_CUSOLVER_DECLARE)
WARPFIBER_C_END
