// SPDX-License-Identifier: Apache-2.0
//
// Answers from the table of allocations (table.hpp). Advice and prefetches are checked as CUDA checks them, and move
// nothing.
#include "device_memory/pointers.hpp"

#include <string>

#include "device_memory/ordering.hpp"
#include "device_memory/table.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"

namespace warpfiber::device_memory {

using record::ReasonKind;

namespace {

cudaMemoryType type_of(const MemoryBlock& block) {
  switch (block.kind) {
    case MemoryKind::device: return cudaMemoryTypeDevice;
    case MemoryKind::managed: return cudaMemoryTypeManaged;
    case MemoryKind::pinned:
    case MemoryKind::registered: return cudaMemoryTypeHost;
  }
  return cudaMemoryTypeUnregistered;
}

Error not_managed() {
  return process::fail(Error::invalid_value, ReasonKind::address_pageable);
}

/// Managed memory, or memory of the host that is pinned or registered.
Error check_managed(const void* pointer, std::size_t bytes) {
  if (pointer == nullptr || bytes == 0) return process::fail(Error::invalid_value, ReasonKind::pointer_null_or_size_0);
  const auto block = block_at(pointer);
  if (!block.has_value()) return not_managed();
  if (block->kind == MemoryKind::device) {
    return process::fail(Error::invalid_value, ReasonKind::address_not_managed);
  }
  const std::size_t left = block->bytes - static_cast<std::size_t>(static_cast<const char*>(pointer) - block->base);
  return bytes <= left ? Error::success : process::fail(Error::invalid_value, ReasonKind::range_exceeds_allocation);
}

Error check_location(const cudaMemLocation& location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return process::is_device(location.id) ? Error::success : process::no_such_device(location.id);
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent: return Error::success;
    default: return process::fail(Error::invalid_value, ReasonKind::location_unknown);
  }
}

bool has_location(cudaMemoryAdvise advice) {
  return advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly &&
         advice != cudaMemAdviseUnsetPreferredLocation;
}

}  // namespace

Error pointer_attributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (attributes == nullptr) return process::fail(Error::invalid_value, ReasonKind::result_pointer_null);
  *attributes = {};
  attributes->device = cudaInvalidDeviceId;
  const auto block = block_at(pointer);
  if (!block.has_value()) {
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->hostPointer = const_cast<void*>(pointer);
    return Error::success;
  }
  attributes->type = type_of(*block);
  attributes->device = block->device;
  attributes->devicePointer = const_cast<void*>(pointer);
  attributes->hostPointer = block->kind == MemoryKind::device ? nullptr : const_cast<void*>(pointer);
  return Error::success;
}

Error prefetch(const void* pointer, std::size_t bytes, const cudaMemLocation& location, cudaStream_t stream) {
  Error wrong = check_managed(pointer, bytes);
  if (wrong == Error::success) wrong = check_location(location);
  return wrong != Error::success ? wrong : in_stream(stream, streams::PlacementOperation{pointer, bytes}, Wait::no);
}

Error advise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, const cudaMemLocation& location) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) {
    return process::fail(Error::invalid_value, ReasonKind::advice_unknown);
  }
  const Error wrong = check_managed(pointer, bytes);
  return wrong != Error::success || !has_location(advice) ? wrong : check_location(location);
}

Error attach(const void* pointer, unsigned flags, cudaStream_t stream) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) {
    return process::fail(Error::invalid_value, ReasonKind::attach_flags_unknown);
  }
  if (flags == cudaMemAttachSingle && (stream == nullptr || stream == cudaStreamLegacy)) {
    return process::fail(Error::invalid_value, ReasonKind::attached_to_default_stream);
  }
  const auto block = block_at(pointer);
  if (!block.has_value()) return not_managed();
  if (block->kind == MemoryKind::device) {
    return process::fail(Error::invalid_value, ReasonKind::address_not_managed);
  }
  return in_stream(stream, streams::PlacementOperation{pointer, block->bytes}, Wait::no);
}

}  // namespace warpfiber::device_memory
