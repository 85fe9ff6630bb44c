// SPDX-License-Identifier: Apache-2.0
// Waits of streams for events that had not been recorded by then, which CUDA lets pass: they explain why two operations
// are unordered that the program meant to order. Not thread safe. Called by streams.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/launch_order.hpp"

namespace warpfiber::streams {

class VainWaits {
 public:
  static constexpr std::size_t kMost = 256;  // the oldest are forgotten

  /// `stream` waits for `event`, which was never recorded; `returns_to`: of the program's call.
  void add(std::uint64_t stream, const void* event, const void* returns_to);
  /// It waits for the event again, which is recorded now: that is what the program does as a rule.
  void settle(std::uint64_t stream, const void* event);
  void recorded(const void* event, std::uint64_t stream);
  /// The last one of a stream.
  record::VainWait of(std::uint64_t stream) const;

 private:
  struct Wait {
    std::uint64_t stream;
    const void* event;
    record::VainWait facts;
  };
  std::vector<Wait> all_;
};

}  // namespace warpfiber::streams
