// SPDX-License-Identifier: Apache-2.0
// The native API under nvcc: every spelling of warpfiber.hpp mapped to CUDA's own, so that one source builds for the
// simulator and for a GPU. Included by warpfiber.hpp when __CUDACC__ is defined.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <warpfiber/backend.hpp>
#include <warpfiber/error.hpp>
#include <warpfiber/pinned_buffer.hpp>
#include <warpfiber/stream_ref.hpp>

#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpfiber {

/// See shared.hpp.
template <class T, class Tag>
__device__ inline T& shared() {
  __shared__ T variable;
  return variable;
}

/// See shared.hpp.
template <class T>
__device__ inline T* dynamic_shared() {
  extern __shared__ __align__(128) unsigned char warpfiber_dynamic_shared[];
  return reinterpret_cast<T*>(warpfiber_dynamic_shared);
}

/// See grid.hpp.
__device__ inline void sync_grid() {
  cooperative_groups::this_grid().sync();
}

// Before sm_90 there are no clusters: a kernel that uses them is launched as one block a cluster or not at all.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__device__ inline void sync_cluster() {
  cooperative_groups::this_cluster().sync();
}
__device__ inline unsigned cluster_block_rank() {
  return cooperative_groups::this_cluster().block_rank();
}
__device__ inline unsigned cluster_size() {
  return cooperative_groups::this_cluster().num_blocks();
}
template <class T>
__device__ inline T* map_shared_rank(T* mine, unsigned rank) {
  return cooperative_groups::this_cluster().map_shared_rank(mine, static_cast<int>(rank));
}
#else
__device__ inline void sync_cluster() {
  __syncthreads();
}
__device__ inline unsigned cluster_block_rank() {
  return 0;
}
__device__ inline unsigned cluster_size() {
  return 1;
}
template <class T>
__device__ inline T* map_shared_rank(T* mine, unsigned rank) {
  if (rank != 0) __trap();
  return mine;
}
#endif

/// See error.hpp.
inline const char* error_name(Error error) noexcept {
  return cudaGetErrorName(static_cast<cudaError_t>(error));
}
inline const char* error_string(Error error) noexcept {
  return cudaGetErrorString(static_cast<cudaError_t>(error));
}

/// See launch.hpp. A device is asked for a cooperative launch where the grid fits one.
struct Automatic {};
inline constexpr Automatic automatic{};
class Cooperation {
 public:
  constexpr Cooperation(bool wanted = false) : wanted_(wanted) {}
  constexpr Cooperation(Automatic) : automatic_(true) {}
  constexpr bool is_wanted() const { return wanted_; }
  constexpr bool is_automatic() const { return automatic_; }

 private:
  bool wanted_ = false;
  bool automatic_ = false;
};

/// See launch.hpp.
template <class... Parameters>
std::uint64_t max_cooperative_grid_blocks(void (*kernel)(Parameters...), dim3 block, std::size_t dynamic_shared = 0) {
  int device = 0;
  int multiprocessors = 0;
  int cooperative = 0;
  int blocks = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(dynamic_shared));
  const int threads = static_cast<int>(block.x * block.y * block.z);
  const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic_shared);
  if (error != cudaSuccess || cooperative == 0) return 0;
  return static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(multiprocessors);
}
template <auto Kernel>
std::uint64_t max_cooperative_grid_blocks(dim3 block, std::size_t dynamic_shared = 0) {
  return max_cooperative_grid_blocks(Kernel, block, dynamic_shared);
}

/// See launch.hpp. What only a simulator has is ignored.
struct LaunchConfig {
  dim3 grid{1};
  dim3 block{1};
  std::size_t dynamic_shared = 0;
  dim3 cluster{1};
  Cooperation cooperative = false;
  StreamRef stream{};
  const void* device = nullptr;
  unsigned registers = 0;
  unsigned warp_size = 0;
  unsigned workers = 0;
  std::size_t stack_bytes = 0;
  const char* policy = nullptr;
  std::uint64_t seed = 0;
  const char* convergence = nullptr;
};

/// See launch.hpp.
class LaunchResult {
 public:
  explicit LaunchResult(cudaError_t error) : error_(error) {}
  bool ok() const { return error_ == cudaSuccess; }
  explicit operator bool() const { return ok(); }
  Error error() const { return static_cast<Error>(error_); }
  const char* finding() const { return ""; }
  const char* message() const { return ok() ? "" : cudaGetErrorString(error_); }

 private:
  cudaError_t error_;
};

namespace detail {

/// cudaErrorInvalidResourceHandle, from a call that makes it the last error.
inline cudaError_t refuse_handle() {
  return cudaEventRecord(nullptr);
}

/// The kernel of a callable, whose operator() is a device's.
template <class Kernel, class... Arguments>
__global__ void call_kernel(Kernel kernel, Arguments... arguments) {
  kernel(arguments...);
}

}  // namespace detail

/// See launch.hpp: launches and, in the default stream, waits. What CUDA answers, to the launch or for what the kernel
/// did, is in the result.
template <class... Parameters, class... Arguments>
LaunchResult launch(const LaunchConfig& config, void (*kernel)(Parameters...), Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "the kernel takes a different number of arguments");
  if (config.stream.is_given() && config.stream.handle() == nullptr) return LaunchResult(detail::refuse_handle());
  cudaLaunchAttribute attributes[2];
  unsigned count = 0;
  const std::uint64_t blocks = static_cast<std::uint64_t>(config.grid.x) * config.grid.y * config.grid.z;
  if (config.cooperative.is_wanted() ||
      (config.cooperative.is_automatic() &&
       blocks <= max_cooperative_grid_blocks(kernel, config.block, config.dynamic_shared))) {
    attributes[count].id = cudaLaunchAttributeCooperative;
    attributes[count++].val.cooperative = 1;
  }
  if (config.cluster.x * config.cluster.y * config.cluster.z > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count].val.clusterDim.x = config.cluster.x;
    attributes[count].val.clusterDim.y = config.cluster.y;
    attributes[count++].val.clusterDim.z = config.cluster.z;
  }
  cudaLaunchConfig_t native = {};
  native.gridDim = config.grid;
  native.blockDim = config.block;
  native.dynamicSmemBytes = config.dynamic_shared;
  native.stream = config.stream.handle();
  native.attrs = attributes;
  native.numAttrs = count;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(config.dynamic_shared));
  cudaError_t error = cudaLaunchKernelEx(&native, kernel, static_cast<Parameters>(arguments)...);
  if (error == cudaSuccess && !config.stream.is_given()) error = cudaStreamSynchronize(nullptr);
  return LaunchResult(error);
}

template <auto Kernel, class... Arguments>
LaunchResult launch(const LaunchConfig& config, const Arguments&... arguments) {
  return launch(config, Kernel, arguments...);
}

/// The same for a callable: an object with a __device__ operator(), or a lambda [=] __device__ (nvcc's
/// --extended-lambda).
template <class Kernel, class... Arguments, class = std::enable_if_t<std::is_class_v<Kernel>>>
LaunchResult launch(const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) {
  return launch(config, &detail::call_kernel<Kernel, Arguments...>, kernel, arguments...);
}

namespace detail {

// See stream.hpp and pinned_buffer.hpp.
inline CUstream_st* create_stream(const StreamConfig& config) {
  cudaStream_t stream = nullptr;
  const unsigned flags = config.non_blocking ? cudaStreamNonBlocking : cudaStreamDefault;
  cudaStreamCreateWithPriority(&stream, flags, config.priority);
  return stream;
}
inline void destroy_stream(CUstream_st* stream) noexcept {
  if (stream != nullptr) cudaStreamDestroy(stream);
}
inline LaunchResult synchronize_stream(CUstream_st* stream) {
  return LaunchResult(stream == nullptr ? refuse_handle() : cudaStreamSynchronize(stream));
}
inline bool stream_is_idle(CUstream_st* stream) {
  return stream == nullptr || cudaStreamQuery(stream) != cudaErrorNotReady;
}
inline CUevent_st* create_event() {
  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  return event;
}
inline void destroy_event(CUevent_st* event) noexcept {
  if (event != nullptr) cudaEventDestroy(event);
}
inline Error record_event(CUevent_st* event, CUstream_st* stream) {
  const bool given = event != nullptr && stream != nullptr;
  return static_cast<Error>(given ? cudaEventRecord(event, stream) : cudaErrorInvalidResourceHandle);
}
inline Error wait_for_event(CUstream_st* stream, CUevent_st* event) {
  const bool given = event != nullptr && stream != nullptr;
  return static_cast<Error>(given ? cudaStreamWaitEvent(stream, event, 0) : cudaErrorInvalidResourceHandle);
}
inline Error synchronize_event(CUevent_st* event) {
  return static_cast<Error>(event == nullptr ? cudaErrorInvalidResourceHandle : cudaEventSynchronize(event));
}
inline bool event_is_over(CUevent_st* event) {
  return event == nullptr || cudaEventQuery(event) != cudaErrorNotReady;
}
inline Error copy_in_stream(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, StreamRef stream) {
  if (stream.is_given() && stream.handle() == nullptr) return Error::invalid_resource_handle;
  return static_cast<Error>(stream.is_given() ? cudaMemcpyAsync(to, from, bytes, kind, stream.handle())
                                              : cudaMemcpy(to, from, bytes, kind));
}
/// Memory can also be refused because there is no GPU, or because an earlier kernel has failed.
inline void check_allocation(cudaError_t error) {
  if (error == cudaSuccess) return;
  if (error == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw std::runtime_error(std::string("no memory of a GPU: ") + cudaGetErrorName(error) + ": " +
                           cudaGetErrorString(error));
}
inline void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  if (bytes != 0) check_allocation(cudaMallocHost(&memory, bytes));
  return memory;
}
inline void free_pinned(void* memory) noexcept {
  if (memory != nullptr) cudaFreeHost(memory);
}

}  // namespace detail

/// See buffer.hpp.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t size) : size_(size) { detail::check_allocation(cudaMalloc(&data_, size * sizeof(T))); }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) { upload(values); }
  Buffer(Buffer&& other) noexcept : data_(other.data_), size_(other.size_) { other.data_ = nullptr; }
  Buffer& operator=(Buffer&& other) noexcept {
    if (this != &other) {
      cudaFree(data_);
      data_ = other.data_;
      size_ = other.size_;
      other.data_ = nullptr;
    }
    return *this;
  }
  ~Buffer() { cudaFree(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  void upload(const T* from, std::size_t count) {
    cudaMemcpy(data_, from, (count < size_ ? count : size_) * sizeof(T), cudaMemcpyHostToDevice);
  }
  void upload(const std::vector<T>& values) { upload(values.data(), values.size()); }
  std::vector<T> download() const {
    std::vector<T> values(size_);
    cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
  void fill(const T& value) { upload(std::vector<T>(size_, value)); }

  Error upload(const T* from, std::size_t count, StreamRef stream) {
    const std::size_t bytes = (count < size_ ? count : size_) * sizeof(T);
    return detail::copy_in_stream(data_, from, bytes, cudaMemcpyHostToDevice, stream);
  }
  Error upload(const std::vector<T>& values, StreamRef stream) { return upload(values.data(), values.size(), stream); }
  Error upload(const PinnedBuffer<T>& values, StreamRef stream) { return upload(values.data(), values.size(), stream); }
  Error download(T* to, std::size_t count, StreamRef stream) const {
    const std::size_t bytes = (count < size_ ? count : size_) * sizeof(T);
    return detail::copy_in_stream(to, data_, bytes, cudaMemcpyDeviceToHost, stream);
  }
  Error download(std::vector<T>& values, StreamRef stream) const {
    return download(values.data(), values.size(), stream);
  }
  Error download(PinnedBuffer<T>& values, StreamRef stream) const {
    return download(values.data(), values.size(), stream);
  }
  Error fill(const T& value, StreamRef stream) { return upload(std::vector<T>(size_, value), stream); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

inline Error last_error() {
  return static_cast<Error>(cudaGetLastError());
}

}  // namespace warpfiber

#include <warpfiber/stream.hpp>

#define WARPFIBER_SHARED(type, name) \
  struct name##_shared_tag;          \
  auto& name = ::warpfiber::shared<type, struct name##_shared_tag>()
