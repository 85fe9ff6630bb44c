// SPDX-License-Identifier: Apache-2.0
// Global memory of the simulated devices: pages of the device space with red zones around every allocation, and a
// register of what is allocated, so that any address can be told what it belongs to. Any thread may call.
// Behind an allocation, rounded up to its alignment, lies a page that nobody can touch. Only where a program has more
// allocations than the host gives mappings for do the others share mappings.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>

#include "memory/objects.hpp"
#include "memory/pieces.hpp"

namespace warpfiber::memory {

struct Allocation {
  const char* base;
  std::size_t bytes;
};

class GlobalHeap {
 public:
  /// `bytes` of poisoned memory, aligned to 512 as cudaMalloc's, and an object; null where the host has none.
  void* allocate(std::size_t bytes, const Birth& birth = {});
  /// `memory` came from allocate(); `freed_by` is what the user's call returns to.
  void free(void* memory, const void* freed_by = nullptr);
  /// The allocation that `address` lies in or in whose red zones it lies.
  std::optional<Allocation> find(const void* address) const;

 private:
  bool may_map() const;

  struct Entry {
    std::size_t bytes;
    char* range;
    std::size_t range_bytes;  // asked for
    bool mapped;              // in pages of its own
  };

  mutable std::mutex mutex_;
  std::map<const char*, Entry> live_;
  std::size_t mapped_ = 0;  // of them, those in pages of their own
  Pieces pieces_;           // the others
};

/// The heap of this process.
GlobalHeap& global_heap();

}  // namespace warpfiber::memory
