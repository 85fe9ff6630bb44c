// SPDX-License-Identifier: Apache-2.0
// Many small pieces of the device space that share mappings of the host, of which a process has a limited number. No
// page lies between two pieces; whoever wants room between them asks for more bytes. Any thread may call.
#pragma once

#include <cstddef>

#include "base/locks/annotated_mutex.hpp"
#include "memory/free_ranges.hpp"

namespace warpfiber::memory {

class Pieces {
 public:
  /// `bytes`, not 0, that begin at a multiple of `alignment`, a power of two; null where the host has none.
  char* take(std::size_t bytes, std::size_t alignment);
  /// `base` came from take(bytes). Its addresses are handed out again late, and its pages stay.
  void give_back(char* base, std::size_t bytes);

 private:
  static constexpr std::size_t kMostWaiting = 4096;

  base::Mutex mutex_;
  FreeRanges free_ WARPFIBER_GUARDED_BY(mutex_){kMostWaiting};
};

}  // namespace warpfiber::memory
