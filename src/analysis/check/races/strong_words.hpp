// SPDX-License-Identifier: Apache-2.0
// Volatile words. Volatile is relaxed at the scope of the system (PTX ISA, "Memory Consistency Model"): such accesses
// are no data race with each other, and order nothing else. So a program may still lose an update, find an old value
// behind a flag that it has seen, or count on lanes that run in lock-step. What a read is for decides: one that a loop
// repeats until it finds the value that it waits for is in its place by that; any other one needs fences.
// docs/checking.md has the rules. Begins with the first volatile access of a launch. A bounded number of words is
// followed, and what has fallen out is not reported. Belongs to one worker.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "check/races/observations.hpp"
#include "check/races/racing_stores.hpp"
#include "check/races/strong_use.hpp"
#include "check/running/running_thread.hpp"
#include "check/running/violation_log.hpp"

namespace warpfiber::check {

/// What is reported of lanes of a warp that nothing orders.
struct LaneRules {
  bool every_exchange = false;  // also where the program is not written for lock-step
  bool in_step = false;         // the policy has them run so
};

class StrongWords {
 public:
  StrongWords(const ThreadNumbering& numbering, RunningThread& running, ViolationLog& log, const HandOvers& hand_overs,
              RacingStores& stores, LaneRules rules)
      : numbering_(numbering),
        running_(running),
        log_(log),
        hand_overs_(hand_overs),
        stores_(stores),
        rules_(rules),
        observations_(numbering, running, hand_overs) {}

  /// An atomic or volatile access of the running thread that has not happened yet; before HandOvers::use().
  void access(const void* address, unsigned bytes, const AtomicUse& use, unsigned site) {
    if (!words_.empty() || use.is_volatile) return follow(address, bytes, use, site);
    if (use.writes && (use.compares || use.blind)) note_lock(address, use, site);
  }
  /// The running thread comes to what a loop asks that waits, and then knows whether it waits on.
  void come_to_wait();
  void end_look(bool again);
  /// Lanes go step by step through the array at `place`.
  void step(const void* place);

 private:
  struct Word {
    const void* address = nullptr;
    unsigned bytes = 0;
    std::uint64_t owner = 0;      // shared memory: one more than the rank of its block
    std::uint64_t used = 0;       // when last, in the order of the run
    std::uint64_t users = 0;      // a bit for each of 64 kinds of threads that have accessed it
    bool value_is_known = true;   // of the last write
    std::size_t asked_steps = 0;  // of steps_, whether its array is one of them
    bool in_steps = false;
    StrongWrite last;
    StrongWrite other;                // the last by another thread than the last one's
    std::array<StrongRead, 2> reads;  // the last of two threads
  };
  struct Look {
    std::array<const void*, 4> words{};
    unsigned count = 0;
  };
  /// One side of what is wrong.
  struct Part {
    const StrongUse& use;
    bool write;
  };
  static constexpr std::size_t kWords = 1024;
  static constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15U;
  static constexpr std::size_t kSteps = 64;

  void follow(const void* address, unsigned bytes, const AtomicUse& use, unsigned site);
  static std::size_t first_place_of(const void* address);
  std::size_t place_of(const void* address) const;
  Word& word_at(const void* address, unsigned bytes);
  void begin(Word& word) const;
  StrongUse use_now(const void* address, const AtomicUse& use, unsigned site);
  bool is_waiting(const void* address);

  void judge_lanes(Word& word, const Part& now);
  void judge_read(const Word& word, const StrongUse& now);
  void judge_write(const Word& word, const StrongUse& now, const StrongRead* mine);
  bool judge_update(const Word& word, const StrongRead& mine);
  void judge_blind(const Word& word, const StrongUse& now);
  void judge_order(const Word& word, const Part& earlier, const Part& now);
  bool breaks_lock(const Word& word, const Part& one, const Part& other) const;
  bool enters_unfenced(const StrongUse& earlier, const StrongUse& now) const;
  bool is_unordered(const StrongUse& earlier) const;
  bool is_in_steps(Word& word) const;

  void note_read(Word& word, const StrongUse& now);
  void note_write(Word& word, const StrongUse& now, const AtomicUse& use, const StrongRead* mine);
  void note_lock(const void* address, const AtomicUse& use, unsigned site);
  bool is_lock(const HeldLock& held) const;
  const void*& released_place(const void* word) { return released_[first_place_of(word) % 64]; }
  HeldLock& lock_place() { return locks_[running_.here().thread() * kMix >> 56]; }
  void observe(const Word& word, const StrongUse& by, const AtomicUse& use);

  static std::uint64_t kind_of(std::uint64_t thread);
  static const StrongRead* read_of(const Word& word, std::uint64_t thread);
  static const StrongRead* open_read_of(const Word& word, std::uint64_t thread);
  Side side_of(const Part& part) const;
  void pend(ViolationKind kind, const Word& word, const Part& earlier, const Part& now);
  void add(ViolationKind kind, const Word& word, const Part& earlier, const Part& now,
           const std::optional<HandOverFound>& hand_over = std::nullopt);

  const ThreadNumbering& numbering_;
  RunningThread& running_;
  ViolationLog& log_;
  const HandOvers& hand_overs_;
  RacingStores& stores_;
  LaneRules rules_;
  Observations observations_;
  std::vector<Word> words_;                        // in their places; empty before the first volatile access
  std::unordered_map<std::uint64_t, Look> looks_;  // of threads that are in what a loop asks
  std::array<HeldLock, 256> locks_{};              // in the places of their threads
  std::array<const void*, 64> released_{};         // words that have been taken and released, in their places
  std::vector<const void*> steps_;                 // arrays that lanes go through step by step
};

}  // namespace warpfiber::check
