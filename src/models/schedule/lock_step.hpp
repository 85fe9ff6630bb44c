// SPDX-License-Identifier: Apache-2.0
//
// Lanes of a warp in turn, for programs that were written when a warp had one program counter: the engine asks before
// every access to memory, and the turn goes to the next lane of the same warp that can run. Lanes that take the same
// path so make their first accesses all before anybody makes a second one. A lane that yields between two accesses
// keeps its turn once, or it would fall behind the others.
// Invariant: a warp's turn ends, so lanes that wait for other warps starve nobody.
#pragma once

#include "schedule/policy.hpp"

namespace warpfiber::schedule {

/// How ids are parted into warps.
struct Warps {
  std::uint64_t threads = 1024;  // of a block
  std::uint64_t lanes = 32;      // of a warp
};

class LockStep final : public Policy {
 public:
  explicit LockStep(const Warps& warps) : warps_(warps) {}

  void yielded(FiberId fiber) override { yielded_ = fiber; }

 private:
  std::size_t pick(std::span<const FiberId> runnable, FiberId current) override;
  /// Warps in the order of their threads.
  std::uint64_t warp_of(FiberId id) const;

  Warps warps_;
  std::uint64_t steps_left_ = 0;      // of the running warp's turn
  std::uint64_t yields_left_ = 0;     // likewise
  FiberId yielded_ = base::kNoFiber;  // since it was chosen
  bool kept_ = false;                 // the running lane had its turn once more, because it yielded
};

}  // namespace warpfiber::schedule
