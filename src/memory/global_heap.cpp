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

}  // namespace

void* GlobalHeap::allocate(std::size_t bytes) {
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (rounded < bytes || rounded + kAround < rounded) return nullptr;
  char* block = static_cast<char*>(std::aligned_alloc(kAlignment, rounded + kAround));
  if (block == nullptr) return nullptr;
  poison(block, rounded + kAround);
  char* base = block + kAlignment;
  const std::lock_guard lock(mutex_);
  live_.emplace(base, Entry{bytes, block});
  return base;
}

void GlobalHeap::free(void* memory) {
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(static_cast<const char*>(memory));
  WARPFIBER_CONTRACT(found != live_.end(), "only memory of this heap is given back to it");
  std::free(found->second.block);
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
