// SPDX-License-Identifier: Apache-2.0
// Logical time of one resident block: for each of its threads how far it has come, and what it knows of others.
// Times are Lamport's: whoever learns something goes on later than everything it has learnt of. So what the members of
// a barrier know afterwards is one number, and a thread's time follows from its warp's and its block's unless it has
// synchronised on its own. Accesses carry the time of their thread; a thread's time moves on whenever it releases to
// others what it has done. Belongs to one worker.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "check/order/vector_clock.hpp"

namespace warpfiber::check {

/// What threads that meet exchange besides the time.
struct SharedClocks {
  VectorClockRef known;   // besides what times say
  VectorClockRef fenced;  // what the next atomics release to the whole device: all that was known at the last fence
  VectorClockRef fenced_block;  // the same for threads of the block only

  bool empty() const { return !known && !fenced && !fenced_block; }
  void join_with(const SharedClocks& other);
};

/// What only some threads have: a time and knowledge of their own.
struct ThreadClock {
  bool in_use = false;
  std::uint32_t own = 0;      // the thread's time is this or later
  SharedClocks shared;        // besides the block's
  VectorClockRef read;        // what its atomics have read, which the next fence makes known to it
  VectorClockRef read_block;  // the same of what threads of its block have released: a fence for the block is enough
  // What it has learnt last, of the whole device and from its block.
  VectorClockRef acquired;
  VectorClockRef acquired_near;
};

class BlockClocks {
 public:
  /// A block begins that knows nothing of its launch.
  void start(std::uint64_t block, unsigned threads, unsigned warp_size);
  /// Times begin anew; nothing before counts any more.
  void restart() { start(block_, threads_, warp_size_); }

  std::uint64_t block() const { return block_; }
  unsigned warp_of(unsigned thread) const { return thread / warp_size_; }
  /// Of all members: what they did up to here, everybody in the block, the warp, the cluster, the grid knows.
  std::uint32_t known() const { return known_; }
  std::uint32_t known_of_warp(unsigned warp) const { return warps_[warp]; }
  std::uint32_t known_of_cluster() const { return cluster_known_; }
  std::uint32_t known_of_grid() const { return grid_known_; }
  std::uint32_t time_of(unsigned thread) const { return time_of(thread, warp_of(thread)); }
  /// The same for a thread whose warp is known.
  std::uint32_t time_of(unsigned thread, unsigned warp) const {
    const std::uint32_t met = std::max(known_, warps_[warp]) + 1;
    return apart_.empty() ? met : std::max(met, personal_[thread].own);
  }
  /// The latest time of any thread.
  std::uint32_t latest() const { return latest_; }
  /// Null where the thread has nothing of its own.
  const ThreadClock* personal(unsigned thread) const {
    return apart_.empty() || !personal_[thread].in_use ? nullptr : &personal_[thread];
  }
  ThreadClock& own(unsigned thread);
  /// Whether no thread of the block, or of the warp, has anything of its own.
  bool is_uniform() const { return apart_.empty(); }
  bool is_uniform(unsigned warp) const { return apart_.empty() || apart_of_warp_[warp] == 0; }
  /// Whether `thread` knows what others did up to `clock`, in addition to what times say.
  bool covers(unsigned thread, const Who& who, std::uint32_t clock) const;
  /// Whether it knows anything in addition to what times say.
  bool has_acquired(unsigned thread) const {
    if (shared_.known) return true;
    const ThreadClock* mine = personal(thread);
    return mine != nullptr && mine->shared.known;
  }
  /// Whether it knows anything of another block.
  bool covers_any_of(unsigned thread, std::uint64_t block) const;
  /// What its next atomics release to the whole device, or its block.
  const VectorClockRef& fenced(unsigned thread) const;
  const VectorClockRef& fenced_block(unsigned thread) const;

  /// All threads of the block have met.
  void meet_block();
  /// Lanes of a warp have met. If these are all of `needed` that the warp has, the whole warp has: others have
  /// returned. Whether it has.
  bool meet_lanes(unsigned warp, std::uint64_t lanes, std::uint64_t needed);
  /// Some threads of the block have met.
  void meet_threads(std::span<const unsigned> threads);
  /// All threads of some blocks have met: those of a cluster, or of the whole grid.
  static void meet_wide(std::span<BlockClocks* const> blocks, bool whole_grid);

  /// Everything that `thread` knows and has done.
  VectorClockRef snapshot(unsigned thread) const;
  /// The thread's later accesses are no part of what it has released so far. `by`: how much later they are at least.
  void tick(unsigned thread, std::uint32_t by = 1);
  /// The thread acquires what words hold: everybody, and from its block. False if it knew.
  bool acquire(unsigned thread, const VectorClockRef& known, const VectorClockRef& near);

 private:
  bool acquire(unsigned thread, const VectorClockRef& known, VectorClockRef ThreadClock::*last);
  void advance(unsigned thread, std::uint32_t time);
  void clear_personal();
  void spread(const SharedClocks& all);
  void gather(unsigned thread, SharedClocks& all) const;
  /// What the threads of the block have to release.
  SharedClocks all_shared() const;
  std::uint64_t lanes_of(unsigned warp) const;

  std::uint64_t block_ = 0;
  unsigned threads_ = 0;
  unsigned warp_size_ = 32;
  std::uint32_t known_ = 0;
  std::uint32_t cluster_known_ = 0;
  std::uint32_t grid_known_ = 0;
  VectorClockRef cluster_;  // known_of_cluster(), for threads of other clusters
  std::uint32_t latest_ = 1;
  std::vector<std::uint32_t> warps_;          // what each warp knows of itself; less than known_ says nothing
  SharedClocks shared_;                       // of all threads, since they met last
  std::vector<ThreadClock> personal_;         // empty until a thread needs it
  std::vector<unsigned> apart_;               // the threads that have something of their own
  std::vector<std::uint16_t> apart_of_warp_;  // how many of them each warp has
};

}  // namespace warpfiber::check
