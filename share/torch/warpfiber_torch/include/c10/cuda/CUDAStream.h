// SPDX-License-Identifier: Apache-2.0
// PyTorch's streams, for a PyTorch without CUDA: the id of a stream is CUDA's handle, and which one is current is known
// to the device that device.cpp registers.
#pragma once

#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/cuda/CUDAFunctions.h>

#include <ostream>

namespace c10::cuda {

class CUDAStream {
 public:
  explicit CUDAStream(Stream stream) : stream_(stream) {
    TORCH_CHECK(stream.device_type() == DeviceType::CUDA, "no stream of CUDA: ", stream);
  }

  operator cudaStream_t() const { return stream(); }
  operator Stream() const { return stream_; }
  cudaStream_t stream() const { return reinterpret_cast<cudaStream_t>(stream_.id()); }
  Stream unwrap() const { return stream_; }
  StreamId id() const { return stream_.id(); }
  DeviceType device_type() const { return DeviceType::CUDA; }
  DeviceIndex device_index() const { return stream_.device_index(); }
  Device device() const { return stream_.device(); }
  bool query() const { return cudaStreamQuery(stream()) == cudaSuccess; }
  void synchronize() const { C10_CUDA_CHECK(cudaStreamSynchronize(stream())); }
  bool operator==(const CUDAStream& other) const { return stream_ == other.stream_; }
  bool operator!=(const CUDAStream& other) const { return stream_ != other.stream_; }

 private:
  Stream stream_;
};

inline std::ostream& operator<<(std::ostream& out, const CUDAStream& stream) {
  return out << stream.unwrap();
}

inline Device device_of_stream(DeviceIndex device) {
  return {DeviceType::CUDA, device < 0 ? current_device() : device};
}

inline CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex device) {
  return CUDAStream(Stream(Stream::UNSAFE, device_of_stream(device), reinterpret_cast<StreamId>(stream)));
}

inline CUDAStream getDefaultCUDAStream(DeviceIndex device = -1) {
  return getStreamFromExternal(nullptr, device);
}

inline CUDAStream getCurrentCUDAStream(DeviceIndex device = -1) {
  return CUDAStream(impl::VirtualGuardImpl(DeviceType::CUDA).getStream(device_of_stream(device)));
}

inline void setCurrentCUDAStream(CUDAStream stream) {
  impl::VirtualGuardImpl(DeviceType::CUDA).exchangeStream(stream.unwrap());
}

inline CUDAStream getStreamFromPool(bool high_priority = false, DeviceIndex device = -1) {
  return CUDAStream(
      impl::VirtualGuardImpl(DeviceType::CUDA).getStreamFromGlobalPool(device_of_stream(device), high_priority));
}

}  // namespace c10::cuda

namespace at::cuda {
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
using c10::cuda::getDefaultCUDAStream;
using c10::cuda::getStreamFromExternal;
using c10::cuda::getStreamFromPool;
using c10::cuda::setCurrentCUDAStream;
}  // namespace at::cuda
