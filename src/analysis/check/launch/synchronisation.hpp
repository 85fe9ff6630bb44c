// SPDX-License-Identifier: Apache-2.0
// What barriers, atomics and fences of a launch order: each moves the clocks of blocks and threads on
// (order/clocks.hpp). Accesses that were counted are to be flushed before. Belongs to one worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "check/order/hand_overs.hpp"
#include "check/order/passed_barriers.hpp"
#include "check/order/sync_words.hpp"
#include "check/running/running_thread.hpp"
#include "check/violations/violations.hpp"
#include "record/finding.hpp"

namespace warpfiber::check {

/// A thread that waits.
struct Waiter {
  BlockShadow* block;
  unsigned rank;
};

class Synchronisation {
 public:
  Synchronisation(const ThreadNumbering& numbering, LaunchIdentity& launch, RunningThread& running,
                  const BlockShadows& resident)
      : numbering_(numbering),
        launch_(launch),
        running_(running),
        resident_(resident),
        hand_overs_(numbering.thread_bits()) {}

  /// A block begins, which is resident from now on.
  void begin_block(BlockShadow& block, std::uint64_t rank, const memory::SharedArena& arena);

  // Threads have met.
  void on_block_barrier(BlockShadow& block);
  void on_lanes(BlockShadow& block, unsigned warp, std::uint64_t lanes, std::uint64_t needed);
  void on_threads(BlockShadow& block, std::span<const unsigned> threads);
  void on_blocks(std::span<BlockShadow* const> blocks, bool whole_grid);
  /// Threads have passed a barrier at `site`, which a fix may name.
  void note_passed(record::Width width, const Site& site) { passed_.note(width, site); }

  // Barriers in two parts: the running thread releases what it has done to `phase`, or acquires what others have.
  void arrive(const void* phase);
  void wait(const void* phase);
  /// The phase is complete, and these threads wait for it; some came to it as to a whole barrier.
  void end_phase(const void* phase, std::span<const Waiter> waiting);
  /// The same of the phase that the word in memory at `word` counts.
  void end_phase_of_word(const void* word);
  /// Nobody waits any more for phases in `bytes` from `from`.
  void forget_phases(const void* from, std::size_t bytes) { phases_.forget(from, bytes); }

  // By the running thread, which is at `site`.
  void atomic(const void* address, const AtomicUse& use, unsigned site);
  /// The running thread uses what its last atomic there has found.
  void uses_found(const void* address);
  void fence(Scope scope);

  const HandOvers& hand_overs() const { return hand_overs_; }
  /// What would have ordered the two sides of a race.
  record::MissingOrder missing_order(const Violation& race) const;

 private:
  void note_some_meet();
  void note_progress(const BlockShadow& block);
  void renew();

  const ThreadNumbering& numbering_;
  LaunchIdentity& launch_;
  RunningThread& running_;
  const BlockShadows& resident_;
  SyncWords words_;
  SyncWords phases_;
  HandOvers hand_overs_;
  PassedBarriers passed_;
};

}  // namespace warpfiber::check
