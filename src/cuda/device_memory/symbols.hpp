// SPDX-License-Identifier: Apache-2.0
// Variables of the current device, named by the address of the program's own variable. Called by abi.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include <cstddef>

#include "device_memory/copies.hpp"

namespace warpfiber::device_memory {

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
