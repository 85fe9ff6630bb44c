// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: questions about addresses.
#include <warpfiber/cuda/driver/memory.h>

#include <cstring>

#include "abi/driver/driver_call.hpp"
#include "device_memory/pools.hpp"
#include "device_memory/table.hpp"

using namespace warpfiber::abi;
using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using warpfiber::Error;

namespace {

template <class T>
Error store(void* to, T value) {
  std::memcpy(to, &value, sizeof value);
  return Error::success;
}

/// What is asked of memory that CUDA knows.
Error attribute_of(void* to, CUpointer_attribute attribute, const void* pointer, const MemoryBlock& block) {
  const bool is_device = block.kind == MemoryKind::device;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return store(to, primary_context(block.device));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return store(to, block.on_device() ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return store(to, pointer);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      return is_device ? fail(Error::invalid_value, ReasonKind::pointer_not_of_host) : store(to, pointer);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: return store(to, 0U);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return store(to, static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(block.base)));
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: return store(to, block.kind == MemoryKind::managed ? 1U : 0U);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return store(to, block.device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: return store(to, static_cast<const void*>(block.base));
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return store(to, block.bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED: return store(to, 1U);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: return store(to, pool_of(pointer));
    default: return fail(Error::invalid_value, {ReasonKind::attribute_unknown, static_cast<int>(attribute)});
  }
}

/// The bytes of the answer that is none.
std::size_t bytes_of(CUpointer_attribute attribute) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_MAPPED: return sizeof(unsigned);
    default: return sizeof(void*);
  }
}

Error attribute(void* to, CUpointer_attribute attribute, CUdeviceptr address) {
  if (to == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  const void* const pointer = pointer_of(address);
  const auto block = block_at(pointer);
  return block.has_value() ? attribute_of(to, attribute, pointer, *block)
                           : fail(Error::invalid_value, what_is(pointer));
}

/// Of memory that CUDA does not know the answers are 0, and the device is none.
Error attributes(unsigned count, const CUpointer_attribute* which, void** to, CUdeviceptr address) {
  if (count == 0 || which == nullptr || to == nullptr) return fail(Error::invalid_value, ReasonKind::pointer_null);
  const void* const pointer = pointer_of(address);
  const auto block = block_at(pointer);
  for (unsigned i = 0; i < count; ++i) {
    if (to[i] == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
    std::memset(to[i], 0, bytes_of(which[i]));
    if (!block.has_value()) {
      if (which[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) store(to[i], CU_DEVICE_INVALID);
      continue;
    }
    const bool has_none = which[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER && block->kind == MemoryKind::device;
    const Error error = has_none ? Error::success : attribute_of(to[i], which[i], pointer, *block);
    if (error != Error::success) return error;
  }
  return Error::success;
}

}  // namespace

extern "C" {

CUresult cuPointerGetAttribute(void* to, CUpointer_attribute which, CUdeviceptr address) {
  return driver_call("cuPointerGetAttribute", [&] { return attribute(to, which, address); });
}
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* which, void** to, CUdeviceptr address) {
  return driver_call("cuPointerGetAttributes", [&] { return attributes(count, which, to, address); });
}

}  // extern "C"
