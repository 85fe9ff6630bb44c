// SPDX-License-Identifier: Apache-2.0
//
// Takes chunks of 32 MiB or more from the device space and manages them with free_ranges.hpp, under a mutex. Chunks
// are never given back.
#include "memory/pieces.hpp"

#include <algorithm>

#include "base/locks/annotated_mutex.hpp"
#include "memory/device_space.hpp"

namespace warpfiber::memory {
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
