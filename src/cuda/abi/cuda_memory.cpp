// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime: allocation, questions about addresses, managed memory, symbols.
#include <warpfiber/cuda/api/runtime.h>

#include "device_memory/addresses.hpp"
#include "device_memory/allocation.hpp"
#include "device_memory/pools.hpp"
#include "process/explain.hpp"
#include "runtime/calls.hpp"
#include "runtime/reset.hpp"

using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using namespace warpfiber::runtime;
using warpfiber::Error;

namespace {

Error malloc_3d(cudaPitchedPtr* pitched, const cudaExtent& extent) {
  if (pitched == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  void* memory = nullptr;
  std::size_t pitch = 0;
  const Error error = malloc_pitch(&memory, &pitch, extent.width, extent.height, extent.depth);
  if (error == Error::success) *pitched = {memory, pitch, extent.width, extent.height};
  return error;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  return call(__func__, [&] {
    stores_results_at(memory);
    return malloc_device(memory, bytes);
  });
}
cudaError_t cudaFree(void* memory) {
  note_free(memory);
  return call(__func__, [&] { return free_device(memory); });
}
cudaError_t cudaMallocAsync(void** memory, size_t bytes, cudaStream_t stream) {
  return call(__func__, [&] {
    stores_results_at(memory);
    return malloc_from_pool(memory, bytes, nullptr, stream);
  });
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  note_free(memory);
  return call(__func__, [&] { return free_async(memory, stream); });
}
cudaError_t cudaMallocManaged(void** memory, size_t bytes, unsigned flags) {
  return call(__func__, [&] {
    stores_results_at(memory);
    return malloc_managed(memory, bytes, flags);
  });
}
cudaError_t cudaMallocPitch(void** memory, size_t* pitch, size_t width, size_t height) {
  return call(__func__, [&] {
    stores_results_at(memory, pitch);
    return malloc_pitch(memory, pitch, width, height, 1);
  });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return call(__func__, [&] {
    stores_results_at(pitched);
    return malloc_3d(pitched, extent);
  });
}
cudaError_t cudaMallocHost(void** memory, size_t bytes) {
  return call(__func__, [&] {
    stores_results_at(memory);
    return malloc_host(memory, bytes, cudaHostAllocDefault);
  });
}
cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned flags) {
  return call(__func__, [&] {
    stores_results_at(memory);
    return malloc_host(memory, bytes, flags);
  });
}
cudaError_t cudaFreeHost(void* memory) {
  note_free(memory);
  return call(__func__, [&] { return free_host(memory); });
}
cudaError_t cudaHostRegister(void* memory, size_t bytes, unsigned flags) {
  return call(__func__, [&] { return register_host(memory, bytes, flags); });
}
cudaError_t cudaHostUnregister(void* memory) {
  return call(__func__, [&] { return unregister_host(memory); });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return call(__func__, [&] {
    stores_results_at(device);
    return host_device_pointer(device, host, flags);
  });
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return call(__func__, [&] { return host_flags(flags, host); });
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return call(__func__, [&] { return memory_info(free, total); });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call(__func__, [&] { return pointer_attributes(attributes, pointer); });
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                                 cudaStream_t stream) {
  return call(__func__, [&] {
    if (flags != 0) return fail(Error::invalid_value, ReasonKind::flags_not_zero);
    return prefetch(pointer, bytes, location, stream);
  });
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
  return call(__func__, [&] { return advise(pointer, bytes, advice, location); });
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  return call(__func__, [&] {
    stores_results_at(address);
    return symbol_address(address, symbol);
  });
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return call(__func__, [&] { return symbol_size(bytes, symbol); });
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return call(__func__, [&] { return copy_to_symbol({symbol, bytes, offset}, from, kind, kNow); });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return call(__func__, [&] { return copy_from_symbol(to, {symbol, bytes, offset}, kind, kNow); });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return call(__func__, [&] { return copy_to_symbol({symbol, bytes, offset}, from, kind, later(stream)); });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return call(__func__, [&] { return copy_from_symbol(to, {symbol, bytes, offset}, kind, later(stream)); });
}

}  // extern "C"
