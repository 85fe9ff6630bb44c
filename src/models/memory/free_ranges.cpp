// SPDX-License-Identifier: Apache-2.0
// Keeps free ranges sorted by address and by size, and joins those that touch. Ranges that are given back wait in a
// queue until there are too many of them, or nothing else is free.
#include "memory/free_ranges.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "base/locks/annotated_mutex.hpp"
#include "memory/device_space.hpp"

namespace warpfiber::memory {
namespace {

/// Bytes from `base` to the next multiple of `alignment`.
std::size_t skipped(const char* base, std::size_t alignment) {
  return (alignment - reinterpret_cast<std::uintptr_t>(base) % alignment) % alignment;
}

}  // namespace

void FreeRanges::insert(char* base, std::size_t bytes) {
  if (bytes == 0) return;
  by_address_.emplace(base, bytes);
  by_size_.emplace(bytes, base);
}

void FreeRanges::add(char* base, std::size_t bytes) {
  auto after = by_address_.lower_bound(base);
  if (after != by_address_.end() && base + bytes == after->first) {
    bytes += after->second;
    by_size_.erase({after->second, after->first});
    after = by_address_.erase(after);
  }
  if (after != by_address_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == base) {
      base = before->first;
      bytes += before->second;
      by_size_.erase({before->second, before->first});
      by_address_.erase(before);
    }
  }
  insert(base, bytes);
}

FreeRanges::BySize::iterator FreeRanges::find(std::size_t bytes, std::size_t alignment) const {
  const auto smallest = by_size_.lower_bound({bytes, nullptr});
  if (smallest == by_size_.end()) return smallest;
  const auto& [size, base] = *smallest;
  if (skipped(base, alignment) <= size - bytes) return smallest;
  // As large as it takes wherever it begins: no search through those that begin at a bad place.
  return by_size_.lower_bound({bytes + alignment - 1, nullptr});
}

char* FreeRanges::take(std::size_t bytes, std::size_t alignment) {
  auto found = find(bytes, alignment);
  while (found == by_size_.end() && !waiting_.empty()) {
    release_oldest();
    found = find(bytes, alignment);
  }
  if (found == by_size_.end()) return nullptr;
  const auto [size, base] = *found;
  by_size_.erase(found);
  by_address_.erase(base);
  const std::size_t before = skipped(base, alignment);
  insert(base, before);
  insert(base + before + bytes, size - before - bytes);
  return base + before;
}

void FreeRanges::release_oldest() {
  const auto [base, bytes] = waiting_.front();
  waiting_.pop_front();
  add(base, bytes);
}

void FreeRanges::give_back(char* base, std::size_t bytes) {
  waiting_.emplace_back(base, bytes);
  if (waiting_.size() > most_waiting_) release_oldest();
}

// Takes chunks of 32 MiB or more from the device space and manages them with free_ranges.hpp, under a mutex. Chunks
// are never given back.

namespace {

constexpr std::size_t kChunk = std::size_t{32} << 20;

}  // namespace

char* Pieces::take(std::size_t bytes, std::size_t alignment) {
  const base::Lock lock(mutex_);
  if (char* base = free_.take(bytes, alignment)) return base;
  if (whole_pages(bytes) < bytes) return nullptr;
  const std::size_t chunk = std::max(kChunk, whole_pages(bytes));
  char* more = memory::take(chunk, alignment);
  if (more == nullptr) return nullptr;
  free_.add(more, chunk);
  return free_.take(bytes, alignment);
}

void Pieces::give_back(char* base, std::size_t bytes) {
  const base::Lock lock(mutex_);
  free_.give_back(base, bytes);
}

}  // namespace warpfiber::memory
