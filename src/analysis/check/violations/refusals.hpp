// SPDX-License-Identifier: Apache-2.0
// What becomes of accesses that the checker has refused. Belongs to one worker.
#pragma once

#include <cstdint>
#include <utility>

#include "check/violations/violations.hpp"

namespace warpfiber::check {

class Refusals {
 public:
  explicit Refusals(Violations& violations) : violations_(violations) {}

  // Of the access that was refused last.
  /// The launch has failed by it.
  void note_failing() {
    if (Violation* refused = violations_.last()) refused->fails = true;
  }
  /// It is made after all, and the processor's fault says what is wrong.
  void leave_to_processor() {
    if (Violation* refused = violations_.last()) refused->is_explained = true;
  }
  /// The launch ends at it, after `count` others were left out.
  void note_end(std::uint64_t count) { left_out_ = count; }
  std::uint64_t left_out() const { return left_out_; }

  /// The hook of the same access comes next, by which it is left out and reported no more.
  void expect(const void* address) { expected_ = address; }
  bool expects(const void* address) const { return expected_ == address; }
  bool is_expected(const void* address) { return std::exchange(expected_, nullptr) == address; }

 private:
  Violations& violations_;
  std::uint64_t left_out_ = 0;
  const void* expected_ = nullptr;
};

}  // namespace warpfiber::check
