// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's factors of sparse matrices, which solve several systems. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CUSOLVERSP_LOWLEVEL_PREVIEW_H_

#include <cusolverSp.h>
#include <warpfiber/cuda/cusolver/factors_api.h>
