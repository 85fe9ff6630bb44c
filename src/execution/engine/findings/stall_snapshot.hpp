// SPDX-License-Identifier: Apache-2.0
// The state of a launch in which nothing gets on, collected from all its workers: every set of threads or blocks that
// share a fate at one place, once. What follows from it is said in stall.cpp.
#pragma once

#include <warpfiber/detail/current_thread.hpp>
#include <warpfiber/intrinsics/phase.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/lane_mask.hpp"
#include "engine/findings/calls.hpp"
#include "engine/state/block.hpp"
#include "machine/rendezvous.hpp"
#include "record/finding.hpp"

namespace warpfiber::engine {

struct Grid;
struct WorkerState;

/// What a thread does that does not go on.
enum class WaitState : unsigned char {
  at_rendezvous,
  at_phase,        // of a barrier in memory
  at_group_phase,  // of a group of several blocks
  converging,
  mismatched,  // at another barrier call than the others of its phase
  spinning,
  meeting,  // others, again and again in a loop
  ready     // nothing; only of a launch whose time is over
};

/// Threads that stand at one place for one reason.
struct WaitSet {
  WaitState state{};
  machine::RendezvousKind kind{};  // where they are at one
  record::Place place;
  std::string what;
  const void* address = nullptr;       // the word a spinning thread polls, or the barrier whose phase is waited for
  std::vector<const void*> further{};  // words that it polls as well
  detail::PhaseWait phase{};           // what that phase lacks
  std::vector<base::FiberId> threads{};
  WaitingCalls calls{};
};

/// A rendezvous of lanes that is not complete.
struct OpenLanes {
  const ResidentBlock* block;
  const detail::Warp* warp;
  std::uint64_t mask;
  std::uint64_t arrived;
  std::uint64_t missing;  // live lanes of the mask that have not come
  const detail::Collective* collective;
  std::size_t wait_set;  // index of its threads' set
  Site origin;           // where the lanes' group was made, if its object says so
};

/// A rendezvous of a group larger than a warp that is not complete.
struct OpenGroup {
  std::vector<base::FiberId> arrived;
  std::vector<base::FiberId> missing;  // members that have not returned: ranks in the block, ascending
  std::size_t wait_set;                // index of its threads' set
  Site origin;                         // where the group was made, if its object says so
};

/// Threads or blocks that have returned at one place.
struct Exited {
  record::Place place;  // unknown if they have not said
  std::vector<std::uint64_t> who;
};

/// The state of a launch.
struct StallSnapshot {
  explicit StallSnapshot(const Grid& grid);

  const Grid& grid;
  std::vector<WaitSet> sets;
  std::vector<OpenLanes> open_lanes;
  std::vector<OpenGroup> groups;
  std::vector<std::uint64_t> not_started;  // blocks, ascending
  std::vector<Exited> finished;            // blocks, ascending; only filled where they may be waited for
  std::vector<Exited> first_exited;        // first threads that have left while their block waits at the grid barrier
  std::vector<Exited> returned;            // threads of blocks in which others may wait for them
  std::map<base::FiberId, std::size_t> set_of;  // of threads that stand somewhere, where there are few
  std::vector<detail::WrittenWord> written;     // last writes to words that are polled

  bool meets = false;  // threads met in a circle

  void put_spinning_first();
  void collect_returned();
  bool any(WaitState state) const;
  bool spins() const { return any(WaitState::spinning) || any(WaitState::meeting); }
  bool any_at(machine::RendezvousKind kind) const;
  bool at_wide_barrier() const {
    return any_at(machine::RendezvousKind::grid_barrier) || any_at(machine::RendezvousKind::multi_grid_barrier);
  }
  const detail::WrittenWord* last_write(const void* address) const;
  /// Which phase of the barrier at `address` is the present one, from 1; 0 if not known.
  std::uint64_t phase_at(const void* address) const;
};

}  // namespace warpfiber::engine
