// SPDX-License-Identifier: Apache-2.0
//
// A device "cuda" for a PyTorch without CUDA: memory, streams and the current device are those of the CUDA runtime that
// this file is linked with, Warpfiber's. What PyTorch itself would compute there is computed by its functions for the
// CPU, on copies, so that only kernels of extensions run on the simulated device. The names are of PyTorch 1.13 to 2.x.
#include <ATen/ATen.h>
#include <ATen/InferSize.h>
#include <ATen/TensorUtils.h>
#include <ATen/native/CPUFallback.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>
#include <torch/version.h>

#include <map>
#include <numeric>

#define WARPFIBER_TORCH_AT_LEAST(MAJOR, MINOR) \
  (TORCH_VERSION_MAJOR > MAJOR || (TORCH_VERSION_MAJOR == MAJOR && TORCH_VERSION_MINOR >= MINOR))

namespace {

using c10::Device;
using c10::DeviceType;
using c10::cuda::current_device;

void free_memory(void* memory) {
  // After the runtime's end nothing is left to free.
  if (memory != nullptr) C10_CUDA_IGNORE_ERROR(cudaFree(memory));
}

class Memory final : public c10::Allocator {
 public:
#if WARPFIBER_TORCH_AT_LEAST(2, 3)
  c10::DataPtr allocate(std::size_t bytes) override {
    return allocated(bytes);
  }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    C10_CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice));
  }
#else
  c10::DataPtr allocate(std::size_t bytes) const override {
    return allocated(bytes);
  }
#endif
  c10::DeleterFnPtr raw_deleter() const override {
    return &free_memory;
  }

 private:
  static c10::DataPtr allocated(std::size_t bytes) {
    void* memory = nullptr;
    if (bytes != 0) C10_CUDA_CHECK(cudaMalloc(&memory, bytes));
    return {memory, memory, &free_memory, Device(DeviceType::CUDA, current_device())};
  }
};

Memory memory;
REGISTER_ALLOCATOR(DeviceType::CUDA, &memory);

c10::Stream stream_of(Device device, c10::StreamId id) {
  return c10::Stream(c10::Stream::UNSAFE, device, id);
}

/// PyTorch's idea of devices and streams. Each thread of the host has a current stream of each device.
class Guard final : public c10::impl::DeviceGuardImplInterface {
 public:
  DeviceType type() const override { return DeviceType::CUDA; }
  Device getDevice() const override { return {DeviceType::CUDA, current_device()}; }
  void setDevice(Device device) const override { c10::cuda::set_device(device.index()); }
  void uncheckedSetDevice(Device device) const noexcept override { (void)cudaSetDevice(device.index()); }
  Device exchangeDevice(Device device) const override {
    const Device before = getDevice();
    if (device != before) setDevice(device);
    return before;
  }
  c10::Stream getStream(Device device) const noexcept override { return stream_of(device, current[device.index()]); }
  c10::Stream getDefaultStream(Device device) const override { return stream_of(device, 0); }
  c10::Stream getStreamFromGlobalPool(Device device, bool) const override {
    cudaStream_t stream = nullptr;
    C10_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream_of(device, reinterpret_cast<c10::StreamId>(stream));
  }
  c10::Stream exchangeStream(c10::Stream stream) const noexcept override {
    const c10::StreamId before = std::exchange(current[stream.device_index()], stream.id());
    return stream_of(stream.device(), before);
  }
  c10::DeviceIndex deviceCount() const noexcept override { return c10::cuda::device_count(); }
  bool queryStream(const c10::Stream& stream) const override { return c10::cuda::CUDAStream(stream).query(); }
  void synchronizeStream(const c10::Stream& stream) const override { c10::cuda::CUDAStream(stream).synchronize(); }

 private:
  static thread_local std::map<c10::DeviceIndex, c10::StreamId> current;
};
thread_local std::map<c10::DeviceIndex, c10::StreamId> Guard::current;
C10_REGISTER_GUARD_IMPL(CUDA, Guard);

at::TensorOptions of_host(const at::Tensor& tensor) {
  return at::TensorOptions().dtype(tensor.dtype()).device(at::kCPU);
}

/// From the first to the last byte that belongs to the tensor.
std::size_t span_of(const at::Tensor& tensor) {
  if (tensor.numel() == 0) return 0;
  std::int64_t elements = 1;
  for (std::int64_t i = 0; i < tensor.dim(); ++i) elements += (tensor.size(i) - 1) * tensor.stride(i);
  return static_cast<std::size_t>(elements) * tensor.element_size();
}

void copy_bytes(const at::Tensor& to, const at::Tensor& from, std::size_t bytes) {
  if (bytes == 0) return;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  C10_CUDA_CHECK(cudaMemcpyAsync(to.data_ptr(), from.data_ptr(), bytes, cudaMemcpyDefault, stream));
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
}

at::Tensor on_host(const at::Tensor& tensor) {
  if (!tensor.is_cuda()) return tensor;
  at::Tensor copy = at::empty_strided(tensor.sizes(), tensor.strides(), of_host(tensor));
  copy_bytes(copy, tensor, span_of(tensor));
  return copy;
}

/// Conversions and strides are the CPU's business.
at::Tensor& copy(at::Tensor& self, const at::Tensor& source, bool) {
  const at::Tensor values = on_host(source);
  if (!self.is_cuda()) {
    self.copy_(values);
    return self;
  }
  at::Tensor wanted = self.is_non_overlapping_and_dense()
                          ? at::empty_strided(self.sizes(), self.strides(), of_host(self))
                          : on_host(self);  // what lies between the elements stays
  wanted.copy_(values);
  copy_bytes(self, wanted, span_of(self));
  return self;
}

at::Tensor empty_of(c10::IntArrayRef sizes, c10::optional<c10::IntArrayRef> strides, c10::optional<at::ScalarType> type,
                    c10::optional<Device> device) {
  const Device wanted =
      device.has_value() && device->has_index() ? *device : Device(DeviceType::CUDA, current_device());
  const c10::DeviceGuard guard(wanted);
  const at::ScalarType element = type.value_or(at::typeMetaToScalarType(at::get_default_dtype()));
  const auto contiguous = [&] {
    std::vector<std::int64_t> result(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) result[i - 1] = result[i] * std::max<std::int64_t>(sizes[i], 1);
    return result;
  };
  const std::vector<std::int64_t> steps = strides.has_value() ? strides->vec() : contiguous();
  std::size_t elements = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) elements = 0;
    if (elements != 0) elements += static_cast<std::size_t>((sizes[i] - 1) * steps[i]);
  }
  const std::size_t bytes = elements * c10::elementSize(element);
  auto storage = c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes,
                                                       memory.allocate(bytes), &memory, /*resizable=*/true);
  at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CUDA), c10::scalarTypeToTypeMeta(element));
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, steps);
  return tensor;
}

at::Tensor empty(c10::IntArrayRef sizes, c10::optional<at::ScalarType> type, c10::optional<at::Layout>,
                 c10::optional<Device> device, c10::optional<bool>, c10::optional<at::MemoryFormat> format) {
  at::Tensor tensor = empty_of(sizes, {}, type, device);
  if (format.has_value() && *format != at::MemoryFormat::Contiguous && *format != at::MemoryFormat::Preserve)
    tensor.unsafeGetTensorImpl()->empty_tensor_restride(*format);
  return tensor;
}

at::Tensor empty_strided(c10::IntArrayRef sizes, c10::IntArrayRef strides, c10::optional<at::ScalarType> type,
                         c10::optional<at::Layout>, c10::optional<Device> device, c10::optional<bool>) {
  return empty_of(sizes, strides, type, device);
}

at::Tensor strided_view(const at::Tensor& self, c10::IntArrayRef sizes, c10::IntArrayRef strides,
                        c10::optional<std::int64_t> offset) {
  at::Tensor result = at::detail::make_tensor<c10::TensorImpl>(c10::TensorImpl::VIEW, c10::Storage(self.storage()),
                                                               self.key_set(), self.dtype());
  result.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides, offset.value_or(self.storage_offset()));
  return result;
}

at::Tensor view(const at::Tensor& self, c10::IntArrayRef sizes) {
  const at::DimVector whole = at::infer_size_dv(sizes, self.numel());
  const auto strides = at::detail::computeStride(self.sizes(), self.strides(), whole);
  TORCH_CHECK(strides.has_value(), "view size is not compatible with the tensor's size and stride; use reshape()");
  return strided_view(self, whole, *strides, self.storage_offset());
}

at::Tensor reshape_alias(const at::Tensor& self, c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  return strided_view(self, sizes, strides, self.storage_offset());
}

const at::Tensor& resize_storage(const at::Tensor& self, c10::IntArrayRef sizes, c10::optional<at::MemoryFormat>) {
  const std::size_t bytes = static_cast<std::size_t>(c10::multiply_integers(sizes)) * self.element_size();
  c10::StorageImpl* const storage = self.storage().unsafeGetStorageImpl();
  const std::size_t before = self.storage_offset() * self.element_size();
  if (before + bytes > storage->nbytes()) {
    c10::DataPtr larger = memory.allocate(before + bytes);
    if (storage->nbytes() != 0)
      C10_CUDA_CHECK(cudaMemcpy(larger.get(), storage->data(), storage->nbytes(), cudaMemcpyDeviceToDevice));
    storage->set_data_ptr(std::move(larger));
    storage->set_nbytes(before + bytes);
  }
  self.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return self;
}

at::Tensor copy_from_and_resize(const at::Tensor& self, const at::Tensor& to) {
  if (to.sizes() != self.sizes()) resize_storage(to, self.sizes(), {});
  at::Tensor result = to;
  return copy(result, self, false);
}

void by_cpu(const c10::OperatorHandle& operation, torch::jit::Stack* stack) {
  at::native::cpu_fallback(operation, stack);
}

}  // namespace

TORCH_LIBRARY_IMPL(_, CUDA, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&by_cpu>());
}

TORCH_LIBRARY_IMPL(aten, CUDA, library) {
  library.impl("empty.memory_format", empty);
  library.impl("empty_strided", empty_strided);
  library.impl("as_strided", strided_view);
  library.impl("view", view);
  library.impl("_reshape_alias", reshape_alias);
  library.impl("resize_", resize_storage);
  library.impl("copy_", copy);
  library.impl("_copy_from_and_resize", copy_from_and_resize);
}
