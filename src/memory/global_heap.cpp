// SPDX-License-Identifier: Apache-2.0
#include "memory/global_heap.hpp"

#include <cstdlib>
#include <iterator>

#include "base/contract.hpp"
#include "memory/shared_arena.hpp"

namespace warpfiber::memory {
namespace {

// That of textures on every model, and what cudaMalloc gives on devices, though CUDA promises 256 only.
constexpr std::size_t kAlignment = 512;
constexpr std::size_t kRedZone = 256;
// Before and behind an allocation, so that it is aligned.
constexpr std::size_t kAround = 2 * kAlignment;
// Each has two mappings, of which Linux gives a process 65,530 unless told otherwise.
constexpr std::size_t kMostMapped = 16'384;

}  // namespace

bool GlobalHeap::may_map() const {
  const std::lock_guard lock(mutex_);
  return mapped_ < kMostMapped;
}

void* GlobalHeap::allocate(std::size_t bytes) {
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (rounded < bytes || rounded + kAround < rounded) return nullptr;
  const Pages pages = may_map() ? map_pages(rounded, kAlignment) : Pages{};
  const bool mapped = pages.base != nullptr;
  void* block = mapped ? nullptr : std::aligned_alloc(kAlignment, rounded + kAround);
  if (!mapped && block == nullptr) return nullptr;
  char* base = mapped ? end_of(pages) - rounded : static_cast<char*>(block) + kAlignment;
  poison(base - kAlignment, rounded + (mapped ? kAlignment : kAround));
  const std::lock_guard lock(mutex_);
  live_.emplace(base, Entry{bytes, pages, block});
  mapped_ += mapped;
  return base;
}

void GlobalHeap::free(void* memory) {
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(static_cast<const char*>(memory));
  WARPFIBER_CONTRACT(found != live_.end(), "only memory of this heap is given back to it");
  const Entry& entry = found->second;
  if (entry.block == nullptr) {
    unmap_pages(entry.pages);
    --mapped_;
  } else {
    std::free(entry.block);
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
  static GlobalHeap heap;
  return heap;
}

}  // namespace warpfiber::memory
