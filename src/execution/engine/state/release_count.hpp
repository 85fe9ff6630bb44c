// SPDX-License-Identifier: Apache-2.0
// The completed rendezvous of a worker, by which it is decided when others go on than those who have just met.
#pragma once

#include <utility>

namespace warpfiber::engine {

class ReleaseCount {
 public:
  /// After this many a turn of a policy's priorities ends: it would let those who meet again and again go first for
  /// ever, so they yield.
  static constexpr unsigned kBeforeYield = 64;

  void begin() { *this = {}; }

  /// After many of them it is the turn of those who only run when no other thread can.
  void note() {
    if (++count_ % kInATurn == 0) turn_ended_ = true;
  }

  /// Whether those who meet next go on before others that are ready.
  bool in_a_row() const { return count_ % kInARow != 0; }
  bool next_in_a_row() const { return (count_ + 1) % kInARow != 0; }
  bool is_for_yield() const { return count_ % kBeforeYield == 0; }

  /// How many may follow before in_a_row() is false.
  unsigned rounds_left() const { return kInARow - 1 - count_ % kInARow; }
  /// As many have followed without being counted that so many are left.
  void catch_up(unsigned rounds) { count_ += rounds_left() - rounds; }

  bool turn_has_ended() const { return turn_ended_; }
  bool take_turn() { return std::exchange(turn_ended_, false); }

 private:
  // A warp whose lanes have met goes on before other warps, for the sake of the caches, but not for ever: a warp that
  // spins through collectives must not keep the rest of its block from running.
  static constexpr unsigned kInARow = 256;
  // And so for a block that goes from barrier to barrier while threads of another block wait for their turn.
  static constexpr unsigned kInATurn = 4096;

  unsigned count_ = 0;
  bool turn_ended_ = false;
};

}  // namespace warpfiber::engine
