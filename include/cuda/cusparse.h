// SPDX-License-Identifier: Apache-2.0
// cuSPARSE. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#define CUSPARSE_H_

// Samples ask whether it is defined.
#define CUSPARSEAPI

#include <cuComplex.h>
#ifdef __cplusplus
#include <cuda_fp16.h>
#endif
#include <cuda_runtime.h>
#include <library_types.h>
#include <warpfiber/cuda/cusparse/host_api.h>
#include <warpfiber/cuda/cusparse/removed.h>
#include <warpfiber/cuda/cusparse/unmodelled.h>
