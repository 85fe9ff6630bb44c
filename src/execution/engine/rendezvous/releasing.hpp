// SPDX-License-Identifier: Apache-2.0
// What follows when all have come to a rendezvous, of whatever kind: observers are notified, the phase ends and results
// are computed, and who waited can run. Kinds differ in what is reported, where their counts lie, and who wakes; for
// each of these a kind has a function here, or takes the default.
// A barrier of a grid is complete in two steps. It counts blocks, over all workers: a block arrives once all its
// threads that have not returned have come. A block that has left is waited for in vain (docs/semantics.md, "Exited
// threads").
#pragma once

#include <warpfiber/detail/group.hpp>

#include <span>

#include "engine/choosing/choosing.hpp"
#include "engine/observing/observing.hpp"
#include "engine/state/rendezvous_table.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

/// Of one worker.
class Releasing {
 public:
  Releasing(WorkerState& worker, Choosing& choosing, LaunchObservers& observers)
      : worker_(worker), choosing_(choosing), observers_(observers) {}

  // `at`: any type of rendezvous_table.hpp whose kind has a phase.
  /// All have come that are waited for: the phase ends. For a caller that runs those who waited itself.
  template <class Place>
  void complete(const Place& at);
  /// The same, and those who waited can run.
  template <class Place>
  void release(const Place& at);
  /// release(), if all have come.
  template <class Place>
  void release_if_complete(const Place& at);

  /// Of the threads of `block`, some wait at other barrier calls than the rest. Once all that live wait, and no warp is
  /// divided between calls, they go on: a device counts the arrivals of warps, at whichever call.
  void pair_whole_warps(ResidentBlock& block);

  /// `count` threads of `block`, lanes of `warps`, have returned: what others wait for may now be complete.
  void recheck(ResidentBlock& block, std::span<ResidentWarp> warps, unsigned count);

  /// Wakes those of `block` that wait at the grid barrier if it has opened.
  bool wake_if_open(ResidentBlock& block);
  /// The same of all blocks of this worker. True if there were any.
  bool wake_open();

 private:
  /// The barrier that blocks of a grid have come to, all of them.
  struct AtAllBlocks {
    static constexpr auto kKind = machine::RendezvousKind::grid_barrier;
    bool multi_grid;
  };
  /// The barrier that grids of several devices have come to, all of them.
  struct AtAllGrids {
    static constexpr auto kKind = machine::RendezvousKind::multi_grid_barrier;
    MultiGrid& grids;
  };

  template <class Place>
  bool all_idle(const Place& at) const;
  bool all_threads_idle() const;
  template <class Place>
  void count_meeting(const Place& at);
  template <class Place>
  void note_met(const Place& at);

  // Notifies the observer, which there is.
  template <class Place>
  static void report(const Place&) {}
  void report(const AtBlockBarrier& at);
  void report(const AtClusterBarrier& at);
  void report(const AtGridBarrier& at);
  void report(const AtAllBlocks& at);
  void report(const AtNamedBarrier& at);
  void report(const AtLanes& at);
  template <class Group>
  void report(const AtGroup<Group>& at);
  void report_exits(const ResidentBlock& block, const char* barrier, bool of_grid, const Site& site);

  // The next phase begins; those of the last have their results.
  static void end_phase(const AtBlockBarrier& at);
  static void end_phase(const AtClusterBarrier& at);
  void end_phase(const AtGridBarrier& at);
  void end_phase(const AtAllBlocks& at);
  static void end_phase(const AtAllGrids& at);
  static void end_phase(const AtNamedBarrier& at);
  void end_phase(const AtLanes& at);
  template <class Group>
  void end_phase(const AtGroup<Group>& at);

  // Those who waited can run.
  template <class Place>
  void wake(const Place& at);
  void wake(const AtBlockBarrier& at);
  void wake(const AtClusterBarrier& at);
  void wake(const AtGridBarrier& at);
  void wake(const AtAllBlocks& at);
  static void wake(const AtAllGrids& at);
  static void wake(const AtNamedBarrier&) {}
  void wake(const AtGroup<SetRendezvous>& at);
  template <class Place>
  void wake_waiting(const Place& at);

  WorkerState& worker_;
  Choosing& choosing_;
  LaunchObservers& observers_;
  detail::GroupPart* parts_[1024] = {};  // of the group that is being answered, by rank
};

/// Whether blocks of `worker` have arrived at a grid barrier that is open by now.
bool has_open_barrier(const WorkerState& worker);

/// Some thread comes to a grid barrier.
inline void note_grid_barrier(Grid& grid) {
  if (!grid.grid_barriers.load(std::memory_order_relaxed)) grid.grid_barriers.store(true);
}

// Threads that have arrived at a barrier in two parts and have yet to wait: each keeps its arrival until then, so that
// every broken pairing is reported with its lines.

OpenArrival& open_arrival(ResidentBlock& block, unsigned thread, detail::SplitBarrier barrier);

/// The running thread, one of `block`, comes to a collective of the group that has a rendezvous of its own, and so no
/// phase to finish.
void note_between(ResidentBlock& block, detail::SplitBarrier barrier, Site site);

/// The running thread, one of `block`, returns. If it has arrived somewhere and not waited, that ends the launch.
void check_open_arrivals(const WorkerState& worker, Choosing& choosing, ResidentBlock& block);

}  // namespace warpfiber::engine
