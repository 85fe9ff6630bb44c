// SPDX-License-Identifier: Apache-2.0
//
// The machine's own rounding modes as a reference for directed rounding: sets one for a scope, and hides values from
// the optimiser, which would otherwise compute in advance and to nearest.
#pragma once

#include <cfenv>

namespace warpfiber::test {

class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(before_); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  int before_;
};

/// x, but the optimiser no longer knows its value nor when it was computed.
template <class T>
T hidden(T x) {
  __asm__ volatile("" : "+m"(x) : : "memory");
  return x;
}

/// operation(arguments...) in the machine's rounding mode `mode`.
template <class Operation, class... Arguments>
auto in_mode(int mode, Operation operation, Arguments... arguments) {
  const RoundingMode scope(mode);
  return hidden(operation(hidden(arguments)...));
}

}  // namespace warpfiber::test
