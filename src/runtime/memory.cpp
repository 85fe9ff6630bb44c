// SPDX-License-Identifier: Apache-2.0
// Device memory for the native API.
#include <warpfiber/buffer.hpp>

#include "memory/global_heap.hpp"
#include "runtime/memory/copied_back.hpp"
#include "runtime/streams/native.hpp"

namespace warpfiber::detail {

void* allocate_global(std::size_t bytes) {
  void* memory = memory::global_heap().allocate(bytes, {.made_by = __builtin_return_address(0)});
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void free_global(void* memory) noexcept {
  if (memory == nullptr) return;
  runtime::join_all_streams();
  memory::global_heap().free(memory, __builtin_return_address(0));
}

void keep_download(const void* to, const void* from, std::size_t bytes, const char* type) {
  const std::uint64_t number = runtime::number_copy();
  if (number == 0) return;
  record::LaunchOrder order;
  order.call = "Buffer::download";
  order.returns_to = __builtin_return_address(0);
  runtime::keep_copy(number, runtime::line(to, bytes), runtime::line(from, bytes), {bytes}, order, type);
}

}  // namespace warpfiber::detail
