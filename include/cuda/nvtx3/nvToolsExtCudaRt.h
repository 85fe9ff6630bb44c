// SPDX-License-Identifier: Apache-2.0
// Names for devices, streams and events in NVIDIA's profilers: accepted and ignored. C and C++.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <driver_types.h>
#include <nvtx3/nvToolsExt.h>

static inline void nvtxNameCudaDeviceA(int device, const char* name) {
  (void)device, (void)name;
}
static inline void nvtxNameCudaStreamA(cudaStream_t stream, const char* name) {
  (void)stream, (void)name;
}
static inline void nvtxNameCudaEventA(cudaEvent_t event, const char* name) {
  (void)event, (void)name;
}

#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
