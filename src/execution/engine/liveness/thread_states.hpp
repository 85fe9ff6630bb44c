// SPDX-License-Identifier: Apache-2.0
// The states that the threads of a worker were seen in: registers and stack, as numbers (spin_history.hpp). Threads
// that wait for what never comes are seen in the same few states again and again; a thread that gets on is not, as long
// as it counts its turns in a register or on its stack.
#pragma once

#include <cstdint>
#include <vector>

namespace warpfiber::engine {

class ThreadStates {
 public:
  /// Adds the state of a thread, a number for both; false if it was seen before. When there are too many, all are
  /// forgotten: threads that get on have new ones all the time.
  bool add(std::uint64_t state) {
    if (table_.empty() || used_ > kSlots / 2) forget();
    const std::uint64_t key = state | 1;  // 0 is an empty slot
    std::size_t slot = (key >> 8) % kSlots;
    while (table_[slot] != 0 && table_[slot] != key) slot = (slot + 1) % kSlots;
    if (table_[slot] == key) return false;
    table_[slot] = key;
    ++used_;
    return true;
  }

  void forget() {
    table_.assign(kSlots, 0);
    used_ = 0;
  }

 private:
  static constexpr std::size_t kSlots = 16 * 1024;

  std::vector<std::uint64_t> table_;
  std::size_t used_ = 0;
};

}  // namespace warpfiber::engine
