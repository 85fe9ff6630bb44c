// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: allocation, memory of the host, pools.
#include <warpfiber/cuda/driver/memory.h>

#include <bit>
#include <vector>

#include "abi/driver/driver_call.hpp"
#include "device_memory/addresses.hpp"
#include "device_memory/allocation.hpp"
#include "device_memory/pools.hpp"
#include "device_memory/table.hpp"
#include "runtime/reset.hpp"

using namespace warpfiber::abi;
using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using namespace warpfiber::runtime;
using warpfiber::Error;

namespace {

/// The driver, unlike the runtime, refuses 0 bytes.
template <class Work>
Error allocate_some(CUdeviceptr* address, std::size_t bytes, Work&& work) {
  if (bytes == 0) return fail(Error::invalid_value, ReasonKind::pointer_null_or_size_0);
  return put_address(address, work);
}

/// And the address 0.
template <class Work>
Error free_some(CUdeviceptr address, Work&& work) {
  return address == 0 ? fail(Error::invalid_value, ReasonKind::address_null) : work(pointer_of(address));
}

Error address_range(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr address) {
  const auto block = block_at(pointer_of(address));
  const std::size_t literal = block.has_value() ? 0 : literal_bytes(pointer_of(address));
  if (literal != 0) {
    if (base != nullptr) *base = address;
    if (bytes != nullptr) *bytes = literal;
    return Error::success;
  }
  if (!block.has_value()) return fail(Error::symbol_not_found, what_is(pointer_of(address)));
  if (base != nullptr) *base = reinterpret_cast<std::uintptr_t>(block->base);
  if (bytes != nullptr) *bytes = block->bytes;
  return Error::success;
}

cudaMemLocation runtimes(const CUmemLocation& location) {
  return std::bit_cast<cudaMemLocation>(location);
}

Error make_pool_of(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  if (properties == nullptr) return fail(Error::invalid_value, ReasonKind::parameters_null);
  const auto same = std::bit_cast<cudaMemPoolProps>(*properties);
  return make_pool(pool, &same);
}

Error set_accesses(CUmemoryPool pool, const CUmemAccessDesc* accesses, std::size_t count) {
  if (accesses == nullptr) return set_pool_access(pool, nullptr, count);
  std::vector<cudaMemAccessDesc> same;
  for (std::size_t i = 0; i < count; ++i) same.push_back(std::bit_cast<cudaMemAccessDesc>(accesses[i]));
  return set_pool_access(pool, same.data(), count);
}

Error access_of(CUmemAccess_flags* flags, CUmemoryPool pool, const CUmemLocation* location) {
  if (flags == nullptr || location == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  const cudaMemLocation same = runtimes(*location);
  cudaMemAccessFlags found{};
  const Error error = pool_access(&found, pool, &same);
  *flags = static_cast<CUmemAccess_flags>(found);
  return error;
}

/// Of a device's own memory only.
Error default_pool_at(CUmemoryPool* pool, const CUmemLocation* location, CUmemAllocationType type) {
  if (location == nullptr) return fail(Error::invalid_value, ReasonKind::pointer_null);
  if (location->type != CU_MEM_LOCATION_TYPE_DEVICE || type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return unmodelled("cuMemGetDefaultMemPool");
  return default_pool(pool, location->id);
}

}  // namespace

extern "C" {

CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  return driver_call("cuMemAlloc", [&] {
    return allocate_some(address, bytes, [&](void** memory) { return malloc_device(memory, bytes); });
  });
}
CUresult cuMemAllocPitch(CUdeviceptr* address, size_t* pitch, size_t width, size_t height, unsigned) {
  return driver_call("cuMemAllocPitch", [&] {
    return allocate_some(address, width * height,
                         [&](void** memory) { return malloc_pitch(memory, pitch, width, height, 1); });
  });
}
CUresult cuMemFree(CUdeviceptr address) {
  note_free(pointer_of(address));
  return driver_call("cuMemFree", [&] { return free_some(address, free_device); });
}
CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned flags) {
  return driver_call("cuMemAllocManaged", [&] {
    return allocate_some(address, bytes, [&](void** memory) { return malloc_managed(memory, bytes, flags); });
  });
}
CUresult cuMemAllocHost(void** memory, size_t bytes) {
  return driver_call("cuMemAllocHost", [&] { return malloc_host(memory, bytes, cudaHostAllocDefault); });
}
CUresult cuMemHostAlloc(void** memory, size_t bytes, unsigned flags) {
  return driver_call("cuMemHostAlloc", [&] { return malloc_host(memory, bytes, flags); });
}
CUresult cuMemFreeHost(void* memory) {
  note_free(memory);
  return driver_call("cuMemFreeHost", [&] { return free_host(memory); });
}
CUresult cuMemHostRegister(void* memory, size_t bytes, unsigned flags) {
  return driver_call("cuMemHostRegister", [&] { return register_host(memory, bytes, flags); });
}
CUresult cuMemHostUnregister(void* memory) {
  return driver_call("cuMemHostUnregister", [&] { return unregister_host(memory); });
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* host, unsigned flags) {
  return driver_call("cuMemHostGetDevicePointer", [&] {
    return put_address(address, [&](void** device) { return host_device_pointer(device, host, flags); });
  });
}
CUresult cuMemHostGetFlags(unsigned* flags, void* host) {
  return driver_call("cuMemHostGetFlags", [&] { return host_flags(flags, host); });
}
CUresult cuMemGetInfo(size_t* free, size_t* total) {
  return driver_call("cuMemGetInfo", [&] { return memory_info(free, total); });
}
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  return driver_call("cuMemGetAddressRange", [&] { return address_range(base, bytes, address); });
}
CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags,
                            CUstream stream) {
  return driver_call("cuMemPrefetchAsync", [&] {
    if (flags != 0) return fail(Error::invalid_value, ReasonKind::flags_not_zero);
    return prefetch(pointer_of(address), bytes, runtimes(location), stream);
  });
}
CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location) {
  return driver_call("cuMemAdvise", [&] {
    return advise(pointer_of(address), bytes, static_cast<cudaMemoryAdvise>(advice), runtimes(location));
  });
}

CUresult cuMemAllocAsync(CUdeviceptr* address, size_t bytes, CUstream stream) {
  return driver_call("cuMemAllocAsync", [&] {
    return allocate_some(address, bytes,
                         [&](void** memory) { return malloc_from_pool(memory, bytes, nullptr, stream); });
  });
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  return driver_call("cuMemAllocFromPoolAsync", [&] {
    if (pool == nullptr) return fail(Error::invalid_value, ReasonKind::pool_null);
    return allocate_some(address, bytes, [&](void** memory) { return malloc_from_pool(memory, bytes, pool, stream); });
  });
}
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  note_free(pointer_of(address));
  return driver_call("cuMemFreeAsync",
                     [&] { return free_some(address, [&](void* memory) { return free_async(memory, stream); }); });
}
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return driver_call_without_context("cuMemPoolCreate", [&] { return make_pool_of(pool, properties); });
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return driver_call_without_context("cuMemPoolDestroy", [&] { return destroy_pool(pool); });
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t) {
  return driver_call_without_context("cuMemPoolTrimTo", [&] { return trim_pool(pool); });
}
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return driver_call_without_context("cuMemPoolSetAttribute", [&] {
    return set_pool_attribute(pool, static_cast<cudaMemPoolAttr>(attribute), value);
  });
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return driver_call_without_context(
      "cuMemPoolGetAttribute", [&] { return pool_attribute(pool, static_cast<cudaMemPoolAttr>(attribute), value); });
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* accesses, size_t count) {
  return driver_call_without_context("cuMemPoolSetAccess", [&] { return set_accesses(pool, accesses, count); });
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  return driver_call_without_context("cuMemPoolGetAccess", [&] { return access_of(flags, pool, location); });
}
CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  return driver_call_without_context("cuMemGetDefaultMemPool", [&] { return default_pool_at(pool, location, type); });
}

}  // extern "C"
