// SPDX-License-Identifier: Apache-2.0
//
// Nearly every argument is null or lies in the space of the devices, which two instructions show.
#include "runtime/checking/host_arguments.hpp"

#include <warpfiber/translated/kernels.hpp>

#include <bit>

#include "device_memory/table.hpp"
#include "memory/device_space.hpp"
#include "memory/host/built_by_host.hpp"
#include "memory/host/host_functions.hpp"
#include "memory/out_of_reach.hpp"

namespace warpfiber::runtime {

void put_host_memory_out_of_reach(const cuda::detail::KernelRecord& kernel, void* const* arguments) {
  for (std::uint64_t left = kernel.reached; left != 0; left &= left - 1) {
    const void*& pointer = *static_cast<const void**>(arguments[std::countr_zero(left)]);
    if (pointer == nullptr || memory::in_device_space(pointer)) continue;
    if (!device_memory::block_at(pointer).has_value()) pointer = memory::out_of_reach(pointer);
  }
}

}  // namespace warpfiber::runtime

const void* warpfiber::cuda::detail::address_of_host_name(const void* address) {
  return memory::out_of_reach(address);
}

const void* const& warpfiber::cuda::detail::address_of_host_function(const void* address) {
  return memory::host_address_of(address);
}

void warpfiber::cuda::detail::note_built_by_host(const void* object, std::size_t bytes, bool is_array) {
  if (object == nullptr) return;
  const auto block = device_memory::block_at(object);
  if (!block.has_value() || block->kind == device_memory::MemoryKind::device) return;
  memory::note_object_of_host(const_cast<void*>(object), bytes, is_array ? block->base + block->bytes : nullptr);
}
