// SPDX-License-Identifier: Apache-2.0
// An access against the shadow cells of its words: two accesses of which one writes, that are not both atomic at a
// sufficient scope and that nothing orders, are a race, whatever the order in which they happened to run.
// docs/checking.md describes the method. Invariant: what a cell leaves out can only hide a race, never make one up. Of
// reads that nothing orders, two are kept that are as far apart as possible: whoever comes after both has met all of
// their warp, block or grid. Where threads of a launch may meet or wait for some of these only, all are kept
// (further_accesses.hpp). Belongs to one worker.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/cells/sites.hpp"
#include "check/objects/reachable_memory.hpp"
#include "check/order/hand_overs.hpp"
#include "check/races/further_accesses.hpp"
#include "check/races/racing_stores.hpp"
#include "check/races/shadow_word.hpp"
#include "check/running/running_thread.hpp"
#include "check/running/violation_log.hpp"

namespace warpfiber::check {

class RaceDetector {
 public:
  RaceDetector(const ThreadNumbering& numbering, LaunchIdentity& launch, RunningThread& running, ViolationLog& log,
               const HandOvers& hand_overs, const ReachableMemory& reach)
      : numbering_(numbering),
        launch_(launch),
        running_(running),
        log_(log),
        hand_overs_(hand_overs),
        reachable_(reach) {}

  /// The running thread's access to some bytes of a word that the launch has used before.
  void check(ShadowWord& word, unsigned bytes, const Use& use, unsigned site);
  /// The same of a word that was last used in another launch, by the access of `cell`.
  void check_against_launches(std::size_t index, Cell cell, Notes notes, const Use& use, unsigned site);

  /// A change by an atomic that reaches the device, to a whole word that was last another such change's, whose place it
  /// takes, or a plain write's, next to which it is kept. The write has to happen before it. False if it is anything
  /// else. `line` is the instruction's.
  bool repeat_atomic(std::size_t index, const Use& use, const SiteLine& line);
  /// The running thread uses what its last change of the word found there: it comes after all changes before it.
  void follow_updates(std::size_t index);

  RacingStores& stores() { return stores_; }
  // Stores that race with stores are judged when their values are in memory (racing_stores.hpp).
  bool has_racing_stores() const { return !stores_.none(); }
  void come_to_access(const Use& use) {
    stores_.come(running_.thread(), use.write, [this](const RacingStore& store) { judge(store); });
  }
  void interrupt() { stores_.interrupt(); }
  /// These threads have ended.
  void finish(std::uint64_t first, std::uint64_t last) {
    stores_.finish(first, last, [this](const RacingStore& store) { judge(store); });
  }

  /// The access that a cell is of.
  static Side side_of(Cell cell, unsigned site, Scope scope);

 private:
  /// An access that is kept.
  struct Kept {
    Cell cell;
    unsigned site;
    Scope scope;
  };
  /// What another access means for it.
  struct Outcome {
    bool conflict;
    bool is_over;  // each later access that conflicts with it conflicts with the other one as well
  };

  Outcome outcome(Cell cell, Scope scope, unsigned bytes, const Use& use) const;
  void check_further(ShadowWord& word, unsigned bytes, const Use& use, unsigned site);
  void put_back(ShadowWord& word, const FurtherRow& row, std::uint32_t thread);
  void race(std::size_t index, const Kept& kept, const Use& use, unsigned site);
  void judge(const RacingStore& store);
  void add_race(const Side& earlier, const Side& now, const void* address, unsigned bytes);
  void widen_hand_over(const Side& earlier);
  bool reaches(Scope scope, Cell cell) const;
  bool conflicts(Cell cell, Scope scope, const Use& use) const;
  void keep_two_updates(ShadowWord& word, Cell mine) const;
  bool make_room(ShadowWord& word, Cell mine);
  bool give_up_one(ShadowWord& word, Cell mine) const;
  unsigned covered(const ShadowWord& word) const;

  const ThreadNumbering& numbering_;
  LaunchIdentity& launch_;
  RunningThread& running_;
  ViolationLog& log_;
  const HandOvers& hand_overs_;
  const ReachableMemory& reachable_;
  FurtherAccesses further_;
  RacingStores stores_;
};

}  // namespace warpfiber::check
