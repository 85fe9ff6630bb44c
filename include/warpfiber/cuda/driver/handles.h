// SPDX-License-Identifier: Apache-2.0
// The handles of CUDA's driver interface. Those of streams, events, kernels and pools are the runtime's. C and C++.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <warpfiber/cuda/api/handles.h>
#include <warpfiber/cuda/driver/results.h>

#define CUDAAPI
#define CUDA_CB

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr_v2;
typedef CUdeviceptr_v2 CUdeviceptr;
typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUgreenCtx_st* CUgreenCtx;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUlib_st* CUlibrary;
typedef struct CUkern_st* CUkernel;
typedef struct CUlinkState_st* CUlinkState;
typedef struct CUarray_st* CUarray;
typedef struct CUmipmappedArray_st* CUmipmappedArray;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef struct CUgraph_st* CUgraph;
typedef struct CUgraphNode_st* CUgraphNode;
typedef struct CUgraphExec_st* CUgraphExec;
typedef struct CUgraphDeviceUpdatableNode_st* CUgraphDeviceNode;
typedef struct CUmemPoolHandle_st* CUmemoryPool;
typedef struct CUtexref_st* CUtexref;
typedef struct CUsurfref_st* CUsurfref;
typedef struct CUdevResourceDesc_st* CUdevResourceDesc;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef unsigned long long CUmemGenericAllocationHandle;

#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)

typedef void(CUDA_CB* CUhostFn)(void* userData);
typedef void(CUDA_CB* CUstreamCallback)(CUstream hStream, CUresult status, void* userData);
typedef size_t(CUDA_CB* CUoccupancyB2DSize)(int blockSize);
