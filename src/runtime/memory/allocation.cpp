// SPDX-License-Identifier: Apache-2.0
// Source of the errors: CUDA Runtime API, "Memory Management".
#include "runtime/memory/allocation.hpp"

#include <limits>
#include <string>

#include "runtime/current_device.hpp"
#include "runtime/explain.hpp"
#include "runtime/memory/ordering.hpp"
#include "runtime/memory/table.hpp"

namespace warpfiber::runtime {
namespace {

constexpr unsigned kHostAllocFlags = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned kHostRegisterFlags =
    cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;

Error no_place_for_result() {
  return because(Error::invalid_value, "the pointer that takes the result is null");
}

Error unknown_flags(unsigned flags) {
  return because(Error::invalid_value, "there are no such flags: " + std::to_string(flags));
}

/// Nothing is allocated for 0 bytes.
Error allocate_here(MemoryKind kind, void** memory, std::size_t bytes, unsigned flags) {
  if (memory == nullptr) return no_place_for_result();
  if (bytes != 0) return allocate(kind, current_device(), bytes, flags, memory);
  *memory = nullptr;
  return Error::success;
}

/// The product, or the largest number where it is larger.
std::size_t product(std::size_t a, std::size_t b) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  return b != 0 && a > kMost / b ? kMost : a * b;
}

/// Pinned or registered memory of the host around `host`, or nothing.
std::optional<MemoryBlock> pinned_block(const void* host) {
  auto block = block_at(host);
  if (!block.has_value() || block->on_device()) return std::nullopt;
  return block;
}

Error not_pinned(const void* host) {
  const auto block = block_at(host);
  return because(Error::invalid_value, block.has_value() ? std::string("the address is in ") + kind_name(block->kind)
                                                         : "the address is " + what_is(host) + ", which is not pinned");
}

}  // namespace

Error malloc_device(void** memory, std::size_t bytes) {
  return allocate_here(MemoryKind::device, memory, bytes, 0);
}

Error free_device(void* memory) {
  if (memory == nullptr) return Error::success;
  const Error failed = wait_for_device();
  if (failed != Error::success) return failed;
  return release(memory, MemoryKind::device, MemoryKind::managed);
}

Error free_async(void* memory, cudaStream_t stream) {
  const auto block = block_at(memory);
  if (!block.has_value() || !block->on_device() || block->base != memory) {
    return because(Error::invalid_value, "the address is not that of an allocation of a device");
  }
  return in_stream(
      stream, [memory] { static_cast<void>(release(memory, MemoryKind::device, MemoryKind::managed)); }, Wait::no);
}

Error malloc_managed(void** memory, std::size_t bytes, unsigned flags) {
  if (memory == nullptr) return no_place_for_result();
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
    return because(Error::invalid_value, "the flags are cudaMemAttachGlobal or cudaMemAttachHost");
  }
  if (bytes == 0) return because(Error::invalid_value, "managed memory of 0 bytes");
  return allocate(MemoryKind::managed, current_device(), bytes, flags, memory);
}

Error malloc_pitch(void** memory, std::size_t* pitch, std::size_t width, std::size_t height, std::size_t depth) {
  if (memory == nullptr || pitch == nullptr) return no_place_for_result();
  const DeviceModel& model = model_of(current_device());
  const std::size_t unit = model.texture_alignment;
  if (width > model.max_pitch_bytes) {
    return because(Error::invalid_value, "a row of " + std::to_string(width) + " bytes; the device allows " +
                                             std::to_string(model.max_pitch_bytes));
  }
  const std::size_t row = (width + unit - 1) / unit * unit;
  const Error refused = allocate_here(MemoryKind::device, memory, product(product(row, height), depth), 0);
  if (refused == Error::success) *pitch = row;
  return refused;
}

Error malloc_host(void** memory, std::size_t bytes, unsigned flags) {
  if ((flags & ~kHostAllocFlags) != 0) return unknown_flags(flags);
  return allocate_here(MemoryKind::pinned, memory, bytes, flags);
}

Error free_host(void* memory) {
  if (memory == nullptr) return Error::success;
  const Error failed = wait_for_device();
  if (failed != Error::success) return failed;
  return release(memory, MemoryKind::pinned, MemoryKind::pinned);
}

Error register_host(void* memory, std::size_t bytes, unsigned flags) {
  if (memory == nullptr || bytes == 0) return because(Error::invalid_value, "there is no memory to register");
  if ((flags & ~kHostRegisterFlags) != 0) return unknown_flags(flags);
  return pin(memory, bytes, current_device(), flags);
}

Error unregister_host(void* memory) {
  if (memory == nullptr) return because(Error::invalid_value, "the address is null");
  const Error failed = wait_for_device();
  return failed != Error::success ? failed : unpin(memory);
}

Error host_device_pointer(void** device, void* host, unsigned flags) {
  if (device == nullptr) return no_place_for_result();
  if (flags != 0) return because(Error::invalid_value, "flags have to be 0");
  if (!pinned_block(host).has_value()) return not_pinned(host);
  *device = host;
  return Error::success;
}

Error host_flags(unsigned* flags, void* host) {
  if (flags == nullptr) return no_place_for_result();
  const auto block = pinned_block(host);
  if (!block.has_value()) return not_pinned(host);
  // With one address space for host and devices all pinned memory is mapped.
  *flags = block->flags | cudaHostAllocMapped;
  return Error::success;
}

Error memory_info(std::size_t* free, std::size_t* total) {
  if (free == nullptr || total == nullptr) return no_place_for_result();
  *free = free_bytes(current_device());
  *total = model_of(current_device()).global_bytes;
  return Error::success;
}

}  // namespace warpfiber::runtime
