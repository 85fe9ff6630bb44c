// SPDX-License-Identifier: Apache-2.0
//
// One map from addresses to blocks under one mutex, with the bytes that each device has in use. The memory itself
// comes from memory/global_heap.hpp or from the program.
#include "device_memory/table.hpp"

#include <deque>
#include <iterator>
#include <map>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "base/text.hpp"
#include "device_memory/accesses.hpp"
#include "device_memory/host_memory.hpp"
#include "device_memory/state/device_memory_state.hpp"
#include "memory/global_heap.hpp"
#include "memory/host/built_by_host.hpp"
#include "memory/objects.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"
#include "process/findings/findings_log.hpp"
#include "process/host/host_calls.hpp"
#include "process/settings/checking.hpp"
#include "process/variables.hpp"

namespace warpfiber::device_memory {

using record::ReasonKind;

namespace {

// Of this many blocks that were freed it is still known where they were.
constexpr std::size_t kRememberedFrees = 1024;
// Requests below this are not worth asking the system about.
constexpr std::size_t kSmall = std::size_t{64} << 20;

}  // namespace

struct AllocationTable {
  base::Mutex mutex;
  std::map<const char*, MemoryBlock> blocks WARPFIBER_GUARDED_BY(mutex);
  std::map<int, std::size_t> used WARPFIBER_GUARDED_BY(mutex);
  std::deque<MemoryBlock> freed WARPFIBER_GUARDED_BY(mutex);
};

namespace {

AllocationTable& table() {
  return DeviceMemoryState::of_process().allocations.get();
}

bool holds(const MemoryBlock& block, const void* address) {
  const char* place = static_cast<const char*>(address);
  // A block of nothing still has an address.
  return place >= block.base && (place < block.base + block.bytes || place == block.base);
}

/// The last block that begins at `address` or before.
const MemoryBlock* find(const AllocationTable& all, const void* address) WARPFIBER_REQUIRES(all.mutex) {
  const auto after = all.blocks.upper_bound(static_cast<const char*>(address));
  if (after == all.blocks.begin()) return nullptr;
  const MemoryBlock& block = std::prev(after)->second;
  return holds(block, address) ? &block : nullptr;
}

/// The first block that has a byte in common with `bytes` from `base`.
const MemoryBlock* overlapping(const AllocationTable& all, const char* base, std::size_t bytes)
    WARPFIBER_REQUIRES(all.mutex) {
  if (const MemoryBlock* block = find(all, base)) return block;
  const auto after = all.blocks.lower_bound(base);
  return after != all.blocks.end() && after->first < base + bytes ? &after->second : nullptr;
}

bool counts(MemoryKind kind) {
  return kind == MemoryKind::device;
}

std::size_t used_by(const AllocationTable& all, int device) WARPFIBER_REQUIRES(all.mutex) {
  const auto found = all.used.find(device);
  return found == all.used.end() ? 0 : found->second;
}

Error too_much_for_model(std::size_t bytes, std::size_t left, int device) {
  return process::fail(Error::memory_allocation, {ReasonKind::device_memory_exhausted, record::ByteSize{bytes}, device,
                                                  process::model_of(device).name, record::ByteSize{left},
                                                  record::ByteSize{process::model_of(device).global_bytes}});
}

Error too_much_for_host(std::size_t bytes, std::size_t left) {
  return process::fail(Error::memory_allocation,
                       {ReasonKind::host_memory_exhausted, record::ByteSize{bytes}, record::ByteSize{left}});
}

/// Bytes of all blocks that nobody has touched yet, for which the host will need pages. Small ones do not count.
std::size_t untouched_bytes() {
  std::vector<MemoryBlock> large;
  {
    AllocationTable& all = table();
    const base::Lock lock(all.mutex);
    for (const auto& [base, block] : all.blocks) {
      if (block.bytes >= kSmall && block.kind != MemoryKind::registered) large.push_back(block);
    }
  }
  std::size_t sum = 0;
  for (const MemoryBlock& block : large) sum += absent_bytes(block.base, block.bytes);
  return sum;
}

/// What the host has left for `bytes` more, in addition to what was promised. Pages are asked about only where it is
/// short.
std::size_t left_for_new(std::size_t bytes) {
  const std::size_t available = available_host_bytes();
  std::size_t promised = bytes;
  {
    AllocationTable& all = table();
    const base::Lock lock(all.mutex);
    for (const auto& [base, block] : all.blocks) promised += block.bytes;
  }
  if (bytes > available || promised <= available) return available;
  const std::size_t untouched = untouched_bytes();
  return available > untouched ? available - untouched : 0;
}

Error room_for(MemoryKind kind, int device, std::size_t bytes) {
  const std::size_t left = free_bytes(device);
  // Managed memory may be more than the device has, and its pages then come and go.
  if (kind == MemoryKind::device && bytes > left) return too_much_for_model(bytes, left, device);
  if (bytes < kSmall) return Error::success;
  std::size_t available = left_for_new(bytes);
  if (bytes > available && memory::global_heap().give_back_kept() != 0) available = left_for_new(bytes);
  return bytes > available ? too_much_for_host(bytes, available) : Error::success;
}

memory::Birth birth_of(MemoryKind kind, int device) {
  memory::Birth birth{.device = device, .made_by = process::call_of_own_code(process::user_call().returns_to)};
  birth.closes = kind == MemoryKind::device;
  if (kind == MemoryKind::device) return birth;
  birth.kind = kind == MemoryKind::managed ? memory::ObjectKind::managed : memory::ObjectKind::pinned;
  birth.initialised = kind != MemoryKind::pinned;  // managed memory begins with zeroes
  return birth;
}

void forget(AllocationTable& all, std::map<const char*, MemoryBlock>::iterator at, const void* freed_by)
    WARPFIBER_REQUIRES(all.mutex) {
  const MemoryBlock block = at->second;
  if (counts(block.kind)) all.used[block.device] -= block.bytes;
  all.blocks.erase(at);
  if (block.kind != MemoryKind::device) memory::forget_objects_of_host(block.base, block.bytes);
  if (block.kind == MemoryKind::registered) {
    memory::remove_object(block.base);
    return;
  }
  all.freed.push_back(block);
  if (all.freed.size() > kRememberedFrees) all.freed.pop_front();
  memory::global_heap().free(block.base, freed_by);
}

/// Why `memory` cannot be freed as what the caller takes it for.
record::Reason why_not_freed(const AllocationTable& all, const void* memory) WARPFIBER_REQUIRES(all.mutex) {
  const MemoryBlock* block = find(all, memory);
  if (block == nullptr) return {};
  if (block->base == memory)
    return {ReasonKind::address_is, record::Reason(ReasonKind::in_memory, kind_name(block->kind))};
  const auto inside = static_cast<std::size_t>(static_cast<const char*>(memory) - block->base);
  return {ReasonKind::address_inside_allocation, record::Quantity{inside, "byte"}, record::ByteSize{block->bytes}};
}

}  // namespace

const char* kind_name(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device: return "device memory";
    case MemoryKind::managed: return "managed memory";
    case MemoryKind::pinned: return "pinned host memory";
    case MemoryKind::registered: return "registered host memory";
  }
  return "";
}

Error allocate(MemoryKind kind, int device, std::size_t bytes, unsigned flags, void** memory) {
  const Error refused = room_for(kind, device, bytes);
  if (refused != Error::success) return refused;
  char* base = static_cast<char*>(memory::global_heap().allocate(bytes, birth_of(kind, device)));
  if (base == nullptr) return too_much_for_host(bytes, available_host_bytes());
  if (process::check_settings().leak_check) process::open_findings_log();
  AllocationTable& all = table();
  const base::Lock lock(all.mutex);
  all.blocks.insert_or_assign(base, MemoryBlock{base, bytes, kind, device, flags});
  if (counts(kind)) all.used[device] += bytes;
  std::erase_if(all.freed, [base](const MemoryBlock& block) { return block.base == base; });
  *memory = base;
  return Error::success;
}

Error release(void* memory, MemoryKind kind, MemoryKind or_kind, const void* freed_by) {
  AllocationTable& all = table();
  record::Reason why;
  {
    const base::Lock lock(all.mutex);
    const auto found = all.blocks.find(static_cast<const char*>(memory));
    if (found != all.blocks.end() && (found->second.kind == kind || found->second.kind == or_kind)) {
      forget(all, found, freed_by);
      return Error::success;
    }
    why = why_not_freed(all, memory);
  }
  return process::fail(Error::invalid_value,
                       why.empty() ? record::Reason(ReasonKind::address_is, what_is(memory)) : why);
}

Error pin(void* memory, std::size_t bytes, int device, unsigned flags) {
  AllocationTable& all = table();
  char* base = static_cast<char*>(memory);
  const base::Lock lock(all.mutex);
  if (const MemoryBlock* block = overlapping(all, base, bytes)) {
    const bool registered = block->kind == MemoryKind::registered;
    return process::fail(registered ? Error::host_memory_already_registered : Error::invalid_value,
                         {ReasonKind::range_partly_in_use, kind_name(block->kind)});
  }
  all.blocks.emplace(base, MemoryBlock{base, bytes, MemoryKind::registered, device, flags});
  memory::add_object(base, bytes, birth_of(MemoryKind::registered, device));
  memory::note_objects_of_host(base, bytes);
  return Error::success;
}

Error unpin(void* memory) {
  AllocationTable& all = table();
  const base::Lock lock(all.mutex);
  const MemoryBlock* block = find(all, memory);
  if (block == nullptr) return process::fail(Error::host_memory_not_registered, ReasonKind::range_not_registered);
  if (block->kind != MemoryKind::registered || block->base != memory) {
    return process::fail(Error::invalid_value, {ReasonKind::range_begins_elsewhere, kind_name(block->kind)});
  }
  forget(all, all.blocks.find(block->base), nullptr);
  return Error::success;
}

std::optional<MemoryBlock> block_at(const void* address) {
  {
    AllocationTable& all = table();
    const base::Lock lock(all.mutex);
    if (const MemoryBlock* block = find(all, address)) return *block;
  }
  if (const auto variable = process::variable_around(address)) {
    const bool managed = variable->kind == cuda::VariableKind::managed;
    return MemoryBlock{static_cast<char*>(variable->base),
                       variable->bytes,
                       managed ? MemoryKind::managed : MemoryKind::device,
                       variable->device,
                       0,
                       variable->is_host_name ? variable->name : nullptr};
  }
  // Memory of the native interface, which has one device.
  const auto native = memory::global_heap().find(address);
  if (!native.has_value()) return std::nullopt;
  const MemoryBlock block{const_cast<char*>(native->base), native->bytes, MemoryKind::device, 0, 0};
  return holds(block, address) ? std::optional(block) : std::nullopt;
}

bool is_adjacent_to_allocation(const void* address) {
  return memory::global_heap().find(address).has_value();
}

bool was_freed(const void* address) {
  AllocationTable& all = table();
  const base::Lock lock(all.mutex);
  return std::any_of(all.freed.begin(), all.freed.end(),
                     [address](const MemoryBlock& block) { return holds(block, address); });
}

record::Reason what_is(const void* address) {
  AllocationTable& all = table();
  const base::Lock lock(all.mutex);
  for (auto block = all.freed.rbegin(); block != all.freed.rend(); ++block) {
    if (holds(*block, address)) return {ReasonKind::in_freed_memory, kind_name(block->kind)};
  }
  const auto object = memory::object_at(address);
  const bool of_kernel = object.has_value() && object->kind == memory::ObjectKind::heap && !object->freed;
  return of_kernel ? ReasonKind::in_kernel_heap : ReasonKind::in_pageable_memory;
}

std::size_t free_bytes(int device) {
  AllocationTable& all = table();
  const base::Lock lock(all.mutex);
  const std::size_t used = used_by(all, device);
  const std::size_t total = process::model_of(device).global_bytes;
  return total > used ? total - used : 0;
}

std::size_t bytes_in_pool(int device, unsigned pool) {
  AllocationTable& all = table();
  const base::Lock lock(all.mutex);
  std::size_t bytes = 0;
  for (const auto& [base, block] : all.blocks) {
    const bool of_pool = block.kind == MemoryKind::device && block.device == device && block.flags == pool;
    if (of_pool) bytes += block.bytes;
  }
  return bytes;
}

void release_blocks(int device) {
  AllocationTable& all = table();
  const base::Lock lock(all.mutex);
  for (auto at = all.blocks.begin(); at != all.blocks.end();) {
    const auto next = std::next(at);
    if (at->second.device == device) {
      if (at->second.kind == MemoryKind::registered) note_unregistration(at->second.base, at->second.bytes);
      forget(all, at, process::user_call().returns_to);
    }
    at = next;
  }
}

}  // namespace warpfiber::device_memory
