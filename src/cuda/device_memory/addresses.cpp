// SPDX-License-Identifier: Apache-2.0
// Answers from the table of allocations (table.hpp). Advice and prefetches are checked as CUDA checks them, and move
// nothing.
#include "device_memory/addresses.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/index.hpp"
#include "base/system/modules.hpp"
#include "base/text.hpp"
#include "device_memory/ordering.hpp"
#include "device_memory/table.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"
#include "process/variables.hpp"

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

bool is_constant_data(const void* pointer) {
  const auto part = base::module_part_at(pointer);
  return part.has_value() && part->is_constant && !part->is_code;
}

std::size_t literal_bytes(const void* pointer) {
  const auto part = base::module_part_at(pointer);
  if (!part.has_value() || !part->is_constant || part->is_code) return 0;
  const std::size_t left = part->end - reinterpret_cast<std::uintptr_t>(pointer);
  return std::min(::strnlen(static_cast<const char*>(pointer), left) + 1, left);
}

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

// Finds the current device's instance of a variable (process/variables.hpp), checks the range against its size, and
// copies by address.

using record::ReasonKind;

namespace {

Error no_symbol() {
  return process::fail(Error::invalid_symbol, ReasonKind::symbol_unknown);
}

Error no_place_for_answer() {
  return process::fail(Error::invalid_value, ReasonKind::result_pointer_null);
}

/// Where the range lies, or an error.
Error locate(const SymbolRange& range, process::CopyPlace& place) {
  const process::DeviceVariable* variable = process::find_variable(range.symbol);
  if (variable == nullptr) return no_symbol();
  if (range.offset > variable->bytes || range.bytes > variable->bytes - range.offset) {
    return process::fail(Error::invalid_value,
                         {ReasonKind::symbol_range_too_long, record::Thousands{base::sum_of(range.offset, range.bytes)},
                          variable->name, record::Quantity{variable->bytes, "byte"}});
  }
  const char* base = static_cast<const char*>(process::instance_of(*variable, process::current_device()));
  place = line(base + range.offset, range.bytes);
  place.symbol = true;
  return Error::success;
}

bool ends_at(cudaMemcpyKind kind, cudaMemcpyKind one, cudaMemcpyKind other) {
  return kind == one || kind == other || kind == cudaMemcpyDefault;
}

Error wrong_direction(ReasonKind copy) {
  return process::fail(Error::invalid_memcpy_direction, copy);
}

}  // namespace

Error copy_to_symbol(const SymbolRange& to, const void* from, cudaMemcpyKind kind, const Order& order) {
  process::CopyPlace place;
  if (!ends_at(kind, cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice))
    return wrong_direction(ReasonKind::copy_to_symbol);
  const Error wrong = locate(to, place);
  if (wrong == Error::success && process::find_variable(to.symbol)->is_const) {
    return process::fail(Error::invalid_value, ReasonKind::symbol_const);
  }
  if (wrong != Error::success) return wrong;
  process::note_variable_set(to.symbol);
  return copy(place, line(from, to.bytes), process::Box{to.bytes}, kind, order);
}

Error copy_from_symbol(void* to, const SymbolRange& from, cudaMemcpyKind kind, const Order& order) {
  process::CopyPlace place;
  if (!ends_at(kind, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice))
    return wrong_direction(ReasonKind::copy_from_symbol);
  const Error wrong = locate(from, place);
  return wrong != Error::success ? wrong : copy(line(to, from.bytes), place, process::Box{from.bytes}, kind, order);
}

Error symbol_address(void** address, const void* symbol) {
  if (address == nullptr) return no_place_for_answer();
  const process::DeviceVariable* variable = process::find_variable(symbol);
  if (variable == nullptr) return no_symbol();
  *address = process::instance_of(*variable, process::current_device());
  process::announce_variable(symbol);
  return Error::success;
}

Error symbol_size(std::size_t* bytes, const void* symbol) {
  if (bytes == nullptr) return no_place_for_answer();
  const process::DeviceVariable* variable = process::find_variable(symbol);
  if (variable == nullptr) return no_symbol();
  *bytes = variable->bytes;
  return Error::success;
}

}  // namespace warpfiber::device_memory
