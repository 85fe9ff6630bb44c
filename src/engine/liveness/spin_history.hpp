// SPDX-License-Identifier: Apache-2.0
// Distinguishes a thread that runs in circles from one that gets on: everything a thread can see of itself is its
// registers and its stack; if all of that is as it was before, and memory has not changed meanwhile, it will do the
// same again.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpfiber::engine {

/// A number for the bytes from `from` to `to`, which may be any part of a stack (spinning.cpp).
std::uint64_t hash_bytes(const char* from, const char* to, std::uint64_t hash);

/// The states a thread was seen in lately.
class SpinHistory {
 public:
  void forget() { used_ = next_ = repeats_ = 0; }

  /// Notes the state; returns how often in a row it was one that had been seen.
  unsigned observe(std::uint64_t state) {
    for (unsigned i = 0; i < used_; ++i) {
      if (seen_[i] == state) return ++repeats_;
    }
    seen_[next_] = state;
    next_ = (next_ + 1) % kStates;
    if (used_ < kStates) ++used_;
    return repeats_ = 0;
  }

  unsigned repeats() const { return repeats_; }

 private:
  // A loop is met at many of its instructions; so many different states still count as one circle.
  static constexpr unsigned kStates = 64;

  std::uint64_t seen_[kStates];
  unsigned used_ = 0;
  unsigned next_ = 0;
  unsigned repeats_ = 0;
};

}  // namespace warpfiber::engine
