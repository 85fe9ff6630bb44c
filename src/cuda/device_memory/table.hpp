// SPDX-License-Identifier: Apache-2.0
// What every address is: memory of a device, managed, pinned or registered memory of the host, or none of these, which
// is ordinary memory of the host. Allocations of a device count against its model's memory. Any thread may call.
#pragma once

#include <warpfiber/error.hpp>

#include <cstddef>
#include <optional>

#include "process/user_call.hpp"
#include "record/reason.hpp"

namespace warpfiber::device_memory {

enum class MemoryKind { device, managed, pinned, registered };

/// "device memory", "managed memory", "pinned host memory", "registered host memory".
const char* kind_name(MemoryKind kind);

/// `bytes` from `base` that belong together.
struct MemoryBlock {
  char* base = nullptr;
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  int device = 0;                  // where it was made
  unsigned flags = 0;              // of the call that made it; of a device's memory, the number of its pool
  const char* variable = nullptr;  // whose name in host code the address is, as far as the program got no other

  bool on_device() const { return kind == MemoryKind::device || kind == MemoryKind::managed; }
};

/// New memory, aligned to 512, filled as GlobalHeap says. Refused with memory_allocation where the device's model or
/// the host has not as much.
Error allocate(MemoryKind kind, int device, std::size_t bytes, unsigned flags, void** memory);

/// Frees what allocate() gave and is of one of two kinds. `freed_by`: what the program's call returns to.
Error release(void* memory, MemoryKind kind, MemoryKind or_kind,
              const void* freed_by = process::user_call().returns_to);

/// Memory of the caller's own that is pinned from now on, or no more. A range that touches a registered one is
/// host_memory_already_registered, an address outside every block host_memory_not_registered; what touches other
/// blocks, and an address inside a range, invalid_value.
Error pin(void* memory, std::size_t bytes, int device, unsigned flags);
Error unpin(void* memory);

/// The block that `address` lies in.
std::optional<MemoryBlock> block_at(const void* address);

/// Whether an address that is in no block lies within a few bytes of one: nothing of the program's own is there.
bool is_adjacent_to_allocation(const void* address);

/// Whether an address that is in no block lies in one that was freed and is not in use again.
bool was_freed(const void* address);

/// Where an address is that is in no block: in memory that was freed, or in ordinary host memory.
record::Reason what_is(const void* address);

/// Bytes that a device has left.
std::size_t free_bytes(int device);

/// Bytes of a device that came from a pool.
std::size_t bytes_in_pool(int device, unsigned pool);

/// Frees all memory and pinned memory of `device`, as a reset does.
void release_blocks(int device);

}  // namespace warpfiber::device_memory
