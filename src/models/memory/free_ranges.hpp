// SPDX-License-Identifier: Apache-2.0
// Which ranges of addresses are free, without touching what lies there. A range that is given back waits until many
// later ones have been: whoever still uses it does not meet its next owner. Of FreeRanges the caller locks; Pieces are
// for any thread.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "base/locks/annotated_mutex.hpp"

namespace warpfiber::memory {

class FreeRanges {
 public:
  /// Up to `most_waiting` ranges that were given back wait.
  explicit FreeRanges(std::size_t most_waiting) : most_waiting_(most_waiting) {}

  /// `bytes` from `base` are free from now on.
  void add(char* base, std::size_t bytes);
  /// `bytes`, not 0, that begin at a multiple of `alignment`, a power of two; null where there are none. What waits is
  /// taken only where nothing else is left, the longest waiting first.
  char* take(std::size_t bytes, std::size_t alignment);
  /// All or part of what take() gave is free again, once those before it in the queue are.
  void give_back(char* base, std::size_t bytes);

 private:
  using BySize = std::set<std::pair<std::size_t, char*>>;

  BySize::iterator find(std::size_t bytes, std::size_t alignment) const;
  void insert(char* base, std::size_t bytes);
  void release_oldest();

  std::size_t most_waiting_;
  std::map<char*, std::size_t> by_address_;
  BySize by_size_;
  std::deque<std::pair<char*, std::size_t>> waiting_;
};

// Many small pieces of the device space that share mappings of the host, of which a process has a limited number. No
// page lies between two pieces; whoever wants room between them asks for more bytes.
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
