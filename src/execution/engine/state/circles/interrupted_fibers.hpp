// SPDX-License-Identifier: Apache-2.0
// Which threads of a worker were interrupted lately, by ticks or by looks (liveness/meeting_looks.hpp): that leaves
// bytes on the stack of such a thread that look like a new state of it. A tick notes it in its handler, on the OS
// thread that asks.
#pragma once

#include <warpfiber/detail/machine.hpp>

#include <algorithm>
#include <cstddef>

namespace warpfiber::engine {

class InterruptedFibers {
 public:
  void add(const detail::Fiber* fiber) { fibers_[next_++ % kKept] = fiber; }
  /// A few of the last ones are known.
  bool contains(const detail::Fiber* fiber) const {
    return std::find(std::begin(fibers_), std::end(fibers_), fiber) != std::end(fibers_);
  }
  void forget() { std::fill(std::begin(fibers_), std::end(fibers_), nullptr); }

 private:
  static constexpr std::size_t kKept = 16;

  const detail::Fiber* fibers_[kKept] = {};
  std::size_t next_ = 0;
};

}  // namespace warpfiber::engine
