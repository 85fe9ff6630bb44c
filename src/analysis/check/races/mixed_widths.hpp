// SPDX-License-Identifier: Apache-2.0
// Atomics of different widths on overlapping bytes. Two operations are atomic with respect to each other only where
// they overlap completely (PTX ISA, "Morally Strong Operations"). Cells do not know how wide an access was, so the last
// ones of each width are kept here, of places where any was not of one word. A bounded number of places is followed.
// Belongs to one worker.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "check/running/running_thread.hpp"
#include "check/running/violation_log.hpp"

namespace warpfiber::check {

class MixedWidths {
 public:
  MixedWidths(RunningThread& running, ViolationLog& log) : running_(running), log_(log) {}

  /// An atomic of the running thread that has not left anything in the shadow yet.
  void access(const void* address, unsigned bytes, const Use& use, unsigned site) {
    if (bytes != kWordBytes || !places_.empty()) follow(static_cast<const char*>(address), bytes, use, site);
  }

 private:
  static constexpr std::size_t kBytes = 8;  // of a place; wider atomics begin in one
  static constexpr std::size_t kMost = 4096;

  struct Wide {
    unsigned first = 0;  // byte of the place
    unsigned bytes = 0;  // 0: none
    Cell cell = 0;
    unsigned site = 0;
    Scope scope{};
  };
  struct Place {
    std::uint64_t owner = 0;  // shared memory: one more than the rank of its block
    std::array<Wide, 4> last{};
  };

  void follow(const char* address, unsigned bytes, const Use& use, unsigned site);
  void compare(const Wide& now, const Wide& earlier, const char* begin);
  void compare_with_cells(const Wide& now, const char* begin);
  static Side side_of(const Wide& one);

  RunningThread& running_;
  ViolationLog& log_;
  std::unordered_map<std::uintptr_t, Place> places_;
};

}  // namespace warpfiber::check
