// SPDX-License-Identifier: Apache-2.0
// Which writes threads have waited for, or have found by an atomic, lately: what came before such a write was meant to
// be seen by the reader, whether fences make it so or not. Belongs to one worker.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "check/order/hand_overs.hpp"
#include "check/races/strong_use.hpp"
#include "check/running/running_thread.hpp"

namespace warpfiber::check {

class Observations {
 public:
  Observations(const ThreadNumbering& numbering, const RunningThread& running, const HandOvers& hand_overs)
      : numbering_(numbering), running_(running), hand_overs_(hand_overs) {}

  /// Whether a thread that uses a word so goes on because of what it finds. A counter from which one thread takes
  /// numbers again and again hands over nothing.
  bool is_hand_over(const void* word, const AtomicUse& use);
  void add(const Observation& seen);
  /// How `earlier` was meant to come before what the running thread does now, by another word than `but`, where a fence
  /// is missing for it. None where it was not meant to, and where fences are in both places.
  std::optional<HandOverFound> missing_fence(const StrongUse& earlier, const void* but) const;

 private:
  static constexpr std::size_t kMost = 128;
  static constexpr std::size_t kMostArrivals = 16384;

  const Observation* find(const StrongUse& earlier, const void* but) const;
  bool is_before(const StrongUse& earlier, const StrongWrite& write) const;

  const ThreadNumbering& numbering_;
  const RunningThread& running_;
  const HandOvers& hand_overs_;
  std::array<Observation, kMost> all_{};
  std::size_t count_ = 0;                                 // that there have been
  std::unordered_map<std::uint64_t, unsigned> arrivals_;  // how often a thread has changed a word, by both
};

}  // namespace warpfiber::check
