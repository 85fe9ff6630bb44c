// SPDX-License-Identifier: Apache-2.0
//
// Takes small allocations from shared mappings (free_ranges.hpp) and large ones from pages of their own. One mutex
// guards the heaps of all devices.
#include "memory/kernel_heap.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/locks/annotated_mutex.hpp"
#include "memory/device_space.hpp"
#include "memory/free_ranges.hpp"
#include "memory/memory_state.hpp"
#include "memory/shared_arena.hpp"

namespace warpfiber::memory {
namespace {

// What malloc() promises in kernels.
constexpr std::size_t kHeapAlignment = 16;
constexpr std::size_t kHeapRedZone = 16;
// From here on memory has pages of its own, which fault after it is freed.
constexpr std::size_t kOfOwnPages = std::size_t{64} << 10;
// More than any host has; sums of it with an alignment and red zones do not wrap around.
constexpr std::size_t kMost = std::size_t{1} << 48;

}  // namespace

struct HeapAllocation {
  char* base = nullptr;
  std::size_t bytes = 0;
  std::size_t counted = 0;  // against the limit
  int device = 0;
  bool own_pages = false;
};

struct DeviceHeap {
  std::size_t used = 0;
  std::size_t limit = kFirstHeapLimit;
};

struct Heaps {
  base::Mutex mutex;
  std::map<int, DeviceHeap> devices WARPFIBER_GUARDED_BY(mutex);
  std::unordered_map<const void*, HeapAllocation> live WARPFIBER_GUARDED_BY(mutex);
  Pieces pieces WARPFIBER_GUARDED_BY(mutex);
};

namespace {

Heaps& heaps() {
  return MemoryState::of_process().kernel_heaps.get();
}

void give_back(Heaps& all, const HeapAllocation& range) WARPFIBER_REQUIRES(all.mutex) {
  all.devices[range.device].used -= range.counted;
  if (range.own_pages) {
    memory::give_back(range.base, range.bytes);
  } else {
    all.pieces.give_back(range.base, range.bytes);
  }
}

}  // namespace

void limit_heap(int device, std::size_t bytes) {
  Heaps& all = heaps();
  const base::Lock lock(all.mutex);
  all.devices[device].limit = bytes;
}

void* take_from_heap(int device, std::size_t bytes, std::size_t alignment, const void* made_by) {
  Heaps& all = heaps();
  const base::Lock lock(all.mutex);
  DeviceHeap& heap = all.devices[device];
  const std::size_t left = heap.limit - std::min(heap.limit, heap.used);
  const std::size_t unit = std::max(alignment, kHeapAlignment);
  if (bytes > kMost || unit > kMost) return nullptr;
  if (bytes > left || round_up(std::max<std::size_t>(bytes, 1), kHeapAlignment) > left || unit > left) return nullptr;
  HeapAllocation range{.counted = round_up(std::max<std::size_t>(bytes, 1), kHeapAlignment), .device = device};
  // The red zone before it keeps the alignment.
  const std::size_t before = round_up(kHeapRedZone, unit);
  range.bytes = before + range.counted + kHeapRedZone;
  range.own_pages = range.bytes >= kOfOwnPages;
  range.base = range.own_pages ? take(range.bytes, unit) : all.pieces.take(range.bytes, unit);
  if (range.base == nullptr) return nullptr;
  poison(range.base, range.bytes);
  char* memory = range.base + before;
  add_object(memory, bytes, {.kind = ObjectKind::heap, .device = device, .made_by = made_by});
  all.live.emplace(memory, range);
  heap.used += range.counted;
  return memory;
}

Freeing give_back_to_heap(void* memory, const void* freed_by) {
  Heaps& all = heaps();
  const base::Lock lock(all.mutex);
  const Freeing outcome = free_object(memory, freed_by, ObjectKind::heap);
  if (outcome != Freeing::done) return outcome;
  const auto found = all.live.find(memory);
  give_back(all, found->second);
  all.live.erase(found);
  return outcome;
}

void forget_heap(int device) {
  Heaps& all = heaps();
  const base::Lock lock(all.mutex);
  for (auto at = all.live.begin(); at != all.live.end();) {
    if (at->second.device != device) {
      ++at;
      continue;
    }
    free_object(at->first, nullptr, ObjectKind::heap);
    give_back(all, at->second);
    at = all.live.erase(at);
  }
  all.devices.erase(device);
}

}  // namespace warpfiber::memory
