// SPDX-License-Identifier: Apache-2.0
// What extensions ask PyTorch about the device that they run on, for a PyTorch without CUDA. It stands in front of
// PyTorch's header of the same name, whose functions are in a library that such a PyTorch lacks.
#pragma once

#include <ATen/Context.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#endif

#include <map>

namespace at::cuda {

using c10::cuda::current_device;
using c10::cuda::device_count;
using c10::cuda::warp_size;

inline bool is_available() {
  return device_count() > 0;
}

inline cudaDeviceProp* getDeviceProperties(c10::DeviceIndex device) {
  thread_local std::map<c10::DeviceIndex, cudaDeviceProp> known;
  const auto [entry, fresh] = known.try_emplace(device);
  if (fresh) C10_CUDA_CHECK(cudaGetDeviceProperties(&entry->second, device));
  return &entry->second;
}

inline cudaDeviceProp* getCurrentDeviceProperties() {
  return getDeviceProperties(current_device());
}

inline c10::Allocator* getCUDADeviceAllocator() {
  return c10::GetAllocator(c10::DeviceType::CUDA);
}

#if __has_include(<cublas_v2.h>)
inline cublasHandle_t getCurrentCUDABlasHandle() {
  thread_local std::map<c10::DeviceIndex, cublasHandle_t> handles;
  const auto [entry, fresh] = handles.try_emplace(current_device());
  if (fresh) TORCH_CHECK(cublasCreate(&entry->second) == CUBLAS_STATUS_SUCCESS, "cuBLAS has no handle");
  cublasSetStream(entry->second, getCurrentCUDAStream());
  return entry->second;
}
#endif

}  // namespace at::cuda
