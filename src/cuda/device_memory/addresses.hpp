// SPDX-License-Identifier: Apache-2.0
// What addresses stand for: attributes of pointers, variables of the current device by the address of the program's own
// variable, and advice about managed memory, which has one place only and needs none. Called by abi.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include <cstddef>

#include "device_memory/copies.hpp"

namespace warpfiber::device_memory {

/// cudaPointerGetAttributes; an address of the host that nobody pinned is unregistered, which is no error.
Error pointer_attributes(cudaPointerAttributes* attributes, const void* pointer);

/// Whether `pointer` is into constant data of a module. The literals of device functions are there, which are a
/// device's memory; those of the host are, too, and no address says whose one is.
bool is_constant_data(const void* pointer);
/// The bytes of the literal at `pointer`, with the 0 at its end; 0 where it is no constant data.
std::size_t literal_bytes(const void* pointer);

/// cudaMemPrefetchAsync and cudaMemAdvise: checked, and nothing to do.
Error prefetch(const void* pointer, std::size_t bytes, const cudaMemLocation& location, cudaStream_t stream);
Error advise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, const cudaMemLocation& location);

/// cudaStreamAttachMemAsync: checked, and nothing to do.
Error attach(const void* pointer, unsigned flags, cudaStream_t stream);

/// `bytes` from `offset` of a variable.
struct SymbolRange {
  const void* symbol;
  std::size_t bytes;
  std::size_t offset;
};

Error copy_to_symbol(const SymbolRange& to, const void* from, cudaMemcpyKind kind, const Order& order);
Error copy_from_symbol(void* to, const SymbolRange& from, cudaMemcpyKind kind, const Order& order);
Error symbol_address(void** address, const void* symbol);
Error symbol_size(std::size_t* bytes, const void* symbol);

}  // namespace warpfiber::device_memory
