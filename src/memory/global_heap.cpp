// SPDX-License-Identifier: Apache-2.0
#include "memory/global_heap.hpp"

#include <iterator>

#include "base/contract.hpp"
#include "memory/device_space.hpp"
#include "memory/shared_arena.hpp"

namespace warpfiber::memory {
namespace {

// That of textures on every model, and what cudaMalloc gives on devices, though CUDA promises 256 only.
constexpr std::size_t kAlignment = 512;
constexpr std::size_t kRedZone = 256;
// Before and behind an allocation, so that it is aligned.
constexpr std::size_t kAround = 2 * kAlignment;
// Each has two mappings, of which Linux gives a process 65,530 unless told otherwise and valgrind 30,000.
constexpr std::size_t kMostMapped = 12'288;

}  // namespace

bool GlobalHeap::may_map() const {
  const std::lock_guard lock(mutex_);
  return mapped_ < kMostMapped;
}

void* GlobalHeap::allocate(std::size_t bytes, const Birth& birth) {
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (rounded < bytes || rounded + kAround < rounded) return nullptr;
  Entry entry{bytes, nullptr, rounded + kAlignment, true};
  if (may_map()) entry.range = take(entry.range_bytes);
  if (entry.range != nullptr) prefer_huge_pages(entry.range, entry.range_bytes);
  if (entry.range == nullptr)
    entry = Entry{bytes, pieces_.take(rounded + kAround, kAlignment), rounded + kAround, false};
  if (entry.range == nullptr) return nullptr;
  char* base = entry.mapped ? entry.range + whole_pages(entry.range_bytes) - rounded : entry.range + kAlignment;
  poison(base - kAlignment, entry.range_bytes);
  add_object(base, bytes, birth);
  const std::lock_guard lock(mutex_);
  live_.emplace(base, entry);
  mapped_ += entry.mapped;
  return base;
}

void GlobalHeap::free(void* memory, const void* freed_by) {
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(static_cast<const char*>(memory));
  WARPFIBER_CONTRACT(found != live_.end(), "only memory of this heap is given back to it");
  const Entry& entry = found->second;
  free_object(memory, freed_by);
  if (entry.mapped) {
    give_back(entry.range, entry.range_bytes);
    --mapped_;
  } else {
    pieces_.give_back(entry.range, entry.range_bytes);
  }
  live_.erase(found);
}

std::optional<Allocation> GlobalHeap::find(const void* address) const {
  const char* place = static_cast<const char*>(address);
  const std::lock_guard lock(mutex_);
  auto after = live_.upper_bound(place + kRedZone);
  if (after == live_.begin()) return std::nullopt;
  const auto& [base, entry] = *std::prev(after);
  if (place + kRedZone < base || place >= base + entry.bytes + kRedZone) return std::nullopt;
  return Allocation{base, entry.bytes};
}

GlobalHeap& global_heap() {
  static GlobalHeap& heap = *new GlobalHeap;  // static objects of the program free memory when the process ends
  return heap;
}

}  // namespace warpfiber::memory
