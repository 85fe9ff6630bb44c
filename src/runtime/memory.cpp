// SPDX-License-Identifier: Apache-2.0
// Device memory for the native API.
#include <warpfiber/buffer.hpp>

#include "memory/global_heap.hpp"

namespace warpfiber::detail {

void* allocate_global(std::size_t bytes) {
  void* memory = memory::global_heap().allocate(bytes, {.made_by = __builtin_return_address(0)});
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void free_global(void* memory) noexcept {
  if (memory != nullptr) memory::global_heap().free(memory, __builtin_return_address(0));
}

}  // namespace warpfiber::detail
