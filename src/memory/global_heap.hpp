// SPDX-License-Identifier: Apache-2.0
// Global memory of the simulated devices: ordinary host memory with red zones around every allocation, and a register
// of what is allocated, so that any address can be told what it belongs to. Any thread may call.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>

namespace warpfiber::memory {

struct Allocation {
  const char* base;
  std::size_t bytes;
};

class GlobalHeap {
 public:
  /// `bytes` of poisoned memory, aligned to 512 as cudaMalloc's; null where the host has none.
  void* allocate(std::size_t bytes);
  /// `memory` came from allocate().
  void free(void* memory);
  /// The allocation that `address` lies in or in whose red zones it lies.
  std::optional<Allocation> find(const void* address) const;

 private:
  struct Entry {
    std::size_t bytes;
    void* block;
  };

  mutable std::mutex mutex_;
  std::map<const char*, Entry> live_;
};

/// The heap of this process.
GlobalHeap& global_heap();

}  // namespace warpfiber::memory
