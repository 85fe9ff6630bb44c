// SPDX-License-Identifier: Apache-2.0
// PyTorch's guards of the current device and stream, for a PyTorch without CUDA.
#pragma once

#include <c10/core/DeviceGuard.h>
#include <c10/core/StreamGuard.h>
#include <c10/cuda/CUDAStream.h>

namespace c10::cuda {

class CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex device) : guard_(Device(DeviceType::CUDA, device)) {}
  explicit CUDAGuard(Device device) : guard_(device) {}
  void set_device(Device device) { guard_.reset_device(device); }
  void reset_device(Device device) { guard_.reset_device(device); }
  void set_index(DeviceIndex device) { guard_.set_index(device); }
  Device original_device() const { return guard_.original_device(); }
  Device current_device() const { return guard_.current_device(); }

 private:
  DeviceGuard guard_;
};

class OptionalCUDAGuard {
 public:
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(DeviceIndex device) : guard_(Device(DeviceType::CUDA, device)) {}
  explicit OptionalCUDAGuard(Device device) : guard_(device) {}
  template <class OptionalDevice>
  explicit OptionalCUDAGuard(const OptionalDevice& device) {
    if (device.has_value()) guard_.reset_device(*device);
  }
  void set_device(Device device) { guard_.reset_device(device); }
  void reset_device(Device device) { guard_.reset_device(device); }
  void set_index(DeviceIndex device) { guard_.reset_device(Device(DeviceType::CUDA, device)); }

 private:
  OptionalDeviceGuard guard_;
};

class CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(Stream stream) : guard_(stream) {}
  void reset_stream(Stream stream) { guard_.reset_stream(stream); }
  CUDAStream original_stream() const { return CUDAStream(guard_.original_stream()); }
  CUDAStream current_stream() const { return CUDAStream(guard_.current_stream()); }

 private:
  StreamGuard guard_;
};

}  // namespace c10::cuda

namespace at::cuda {
using c10::cuda::CUDAGuard;
using c10::cuda::CUDAStreamGuard;
using c10::cuda::OptionalCUDAGuard;
}  // namespace at::cuda
