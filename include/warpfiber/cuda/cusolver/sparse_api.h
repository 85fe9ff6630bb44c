// SPDX-License-Identifier: Apache-2.0
// The functions of cuSOLVER for sparse matrices that are modelled. C and C++.
#pragma once

#include <warpfiber/cuda/api/handles.h>
#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cusolver/types.h>

typedef struct cusolverSpContext* cusolverSpHandle_t;
typedef struct csrqrInfo* csrqrInfo_t;

WARPFIBER_C_BEGIN

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t streamId);
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* streamId);

WARPFIBER_C_END
