// SPDX-License-Identifier: Apache-2.0
// Ranges of the device space that were freed and keep their pages for the next allocation of the same size: the host
// would have to clear new ones. Nobody can touch them meanwhile, and the host may take the pages of large ones whenever
// it needs memory. The oldest go first where there are too many. The caller locks.
#pragma once

#include <cstddef>
#include <deque>

namespace warpfiber::memory {

class KeptRanges {
 public:
  /// Of `bytes` in whole pages; null where there is none. What it holds is left from before.
  char* take(std::size_t bytes);
  /// `range` came from memory::take(bytes) or from take(). False where it is not kept.
  bool keep(char* range, std::size_t bytes);
  /// Gives all of them back to the host; returns how many there were.
  std::size_t give_back_all();
  std::size_t size() const { return all_.size(); }

 private:
  struct Range {
    char* base;
    std::size_t bytes;
  };
  void give_back_oldest();

  std::deque<Range> all_;
  std::size_t bytes_ = 0;
};

}  // namespace warpfiber::memory
