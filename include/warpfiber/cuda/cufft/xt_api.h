// SPDX-License-Identifier: Apache-2.0
// What cuFFT's extended interface has beyond types of data: callbacks, and arrays that it allocates and describes. What
// is not modelled returns CUFFT_NOT_SUPPORTED. Any host thread may call; no kernel may. C and C++.
#pragma once

#include <warpfiber/cuda/cufft/host_api.h>
#include <warpfiber/cuda/cufft/xt_descriptors.h>

typedef enum cufftXtSubFormat_t {
  CUFFT_XT_FORMAT_INPUT = 0,
  CUFFT_XT_FORMAT_OUTPUT = 1,
  CUFFT_XT_FORMAT_INPLACE = 2,
  CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,
  CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4,
  CUFFT_XT_FORMAT_DISTRIBUTED_INPUT = 5,
  CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 6,
  CUFFT_FORMAT_UNDEFINED = 7,
} cufftXtSubFormat;

typedef enum cufftXtCopyType_t {
  CUFFT_COPY_HOST_TO_DEVICE = 0,
  CUFFT_COPY_DEVICE_TO_HOST = 1,
  CUFFT_COPY_DEVICE_TO_DEVICE = 2,
  CUFFT_COPY_UNDEFINED = 3,
} cufftXtCopyType;

typedef enum cufftXtQueryType_t { CUFFT_QUERY_1D_FACTORS = 0, CUFFT_QUERY_UNDEFINED = 1 } cufftXtQueryType;
typedef enum cufftXtWorkAreaPolicy_t {
  CUFFT_WORKAREA_MINIMAL = 0,
  CUFFT_WORKAREA_USER = 1,
  CUFFT_WORKAREA_PERFORMANCE = 2,
} cufftXtWorkAreaPolicy;

typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX = 0,
  CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
  CUFFT_CB_LD_REAL = 2,
  CUFFT_CB_LD_REAL_DOUBLE = 3,
  CUFFT_CB_ST_COMPLEX = 4,
  CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
  CUFFT_CB_ST_REAL = 6,
  CUFFT_CB_ST_REAL_DOUBLE = 7,
  CUFFT_CB_UNDEFINED = 8,
} cufftXtCallbackType;

typedef cufftComplex (*cufftCallbackLoadC)(void* data, size_t offset, void* info, void* shared);
typedef cufftDoubleComplex (*cufftCallbackLoadZ)(void* data, size_t offset, void* info, void* shared);
typedef cufftReal (*cufftCallbackLoadR)(void* data, size_t offset, void* info, void* shared);
typedef cufftDoubleReal (*cufftCallbackLoadD)(void* data, size_t offset, void* info, void* shared);
typedef void (*cufftCallbackStoreC)(void* data, size_t offset, cufftComplex value, void* info, void* shared);
typedef void (*cufftCallbackStoreZ)(void* data, size_t offset, cufftDoubleComplex value, void* info, void* shared);
typedef void (*cufftCallbackStoreR)(void* data, size_t offset, cufftReal value, void* info, void* shared);
typedef void (*cufftCallbackStoreD)(void* data, size_t offset, cufftDoubleReal value, void* info, void* shared);

WARPFIBER_C_BEGIN

cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int* whichGPUs);
cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc** descriptor, cufftXtSubFormat format);
cufftResult cufftXtMemcpy(cufftHandle plan, void* to, void* from, cufftXtCopyType type);
cufftResult cufftXtFree(cudaLibXtDesc* descriptor);
cufftResult cufftXtSetWorkArea(cufftHandle plan, void** workArea);
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out, int direction);
cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out);
cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out);
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out, int direction);
cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out);
cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out);
cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out, int direction);
cufftResult cufftXtQueryPlan(cufftHandle plan, void* query, cufftXtQueryType type);
cufftResult cufftXtSetCallback(cufftHandle plan, void** callbacks, cufftXtCallbackType type, void** infos);
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type);
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t sharedSize);
cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction);
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t* workSize);
cufftResult cufftXtSetSubformatDefault(cufftHandle plan, cufftXtSubFormat forward, cufftXtSubFormat inverse);
cufftResult cufftXtSetJITCallback(cufftHandle plan, const char* name, const void* binary, size_t size,
                                  cufftXtCallbackType type, void** infos);

WARPFIBER_C_END
