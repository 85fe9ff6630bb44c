// SPDX-License-Identifier: Apache-2.0
// PyTorch's names for which device is meant, for a PyTorch without CUDA.
#pragma once

#include <c10/core/Device.h>
#include <c10/cuda/CUDAException.h>

namespace c10::cuda {

inline DeviceIndex device_count() noexcept {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? static_cast<DeviceIndex>(count) : DeviceIndex{0};
}

inline DeviceIndex current_device() {
  int device = 0;
  C10_CUDA_CHECK(cudaGetDevice(&device));
  return static_cast<DeviceIndex>(device);
}

inline void set_device(DeviceIndex device) {
  C10_CUDA_CHECK(cudaSetDevice(device));
}

inline void device_synchronize() {
  C10_CUDA_CHECK(cudaDeviceSynchronize());
}

inline int warp_size() {
  int lanes = 0;
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&lanes, cudaDevAttrWarpSize, current_device()));
  return lanes;
}

}  // namespace c10::cuda
