// SPDX-License-Identifier: Apache-2.0
// The handles of CUDA's runtime: opaque pointers and numbers that its functions give out and take back. C and C++.
#pragma once

#include <stddef.h>
#include <warpfiber/cuda/api/error.h>

typedef struct cudaArray* cudaArray_t;
typedef const struct cudaArray* cudaArray_const_t;
struct cudaArray;
typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray* cudaMipmappedArray_const_t;
struct cudaMipmappedArray;
typedef void (*cudaHostFn_t)(void* userData);
struct cudaGraphicsResource;

struct CUuuid_st {
  char bytes[16];
};

typedef struct CUuuid_st CUuuid;
typedef struct CUuuid_st cudaUUID_t;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct cudaGraphicsResource* cudaGraphicsResource_t;
typedef struct CUexternalMemory_st* cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st* cudaExternalSemaphore_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef struct CUuserObject_st* cudaUserObject_t;
typedef unsigned long long cudaGraphConditionalHandle;
typedef struct CUfunc_st* cudaFunction_t;
typedef struct CUkern_st* cudaKernel_t;
typedef struct CUlib_st* cudaLibrary_t;
typedef struct CUmemPoolHandle_st* cudaMemPool_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphDeviceUpdatableNode_st* cudaGraphDeviceNode_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef unsigned long long cudaTextureObject_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* userData);
