// SPDX-License-Identifier: Apache-2.0
// The open rendezvous of a block: what its threads wait at. Each kind has a type here, which says where the counts of
// its row lie; the check when a thread returns and the analysis of stalls read them, whatever their kind. Not listed
// are barriers that have a number, or lie in memory: their threads spin (ResidentBlock::yielded) and say what for, and
// they expect a number of arrivals, whoever returns.
#pragma once

#include <warpfiber/detail/machine.hpp>

#include <span>
#include <utility>

#include "engine/state/block.hpp"
#include "machine/rendezvous.hpp"

namespace warpfiber::engine {

/// The block's barrier.
struct AtBlockBarrier {
  static constexpr auto kKind = machine::RendezvousKind::block_barrier;
  ResidentBlock& block;

  machine::RendezvousKind kind() const { return kKind; }
  unsigned arrived() const { return block.barrier.arrived; }
  unsigned members() const { return block.live; }
  detail::WaitList& waiting() const { return block.barrier.waiting; }
  const Site& site() const { return block.barrier.site; }
};

/// The same of threads that have arrived before, and wait for its phase.
struct AtSplitBarrier {
  static constexpr auto kKind = machine::RendezvousKind::split_barrier;
  ResidentBlock& block;

  machine::RendezvousKind kind() const { return kKind; }
  detail::WaitList& waiting() const { return block.split_waits.waiting; }
  const Site& site() const { return block.split_waits.site; }
};

/// The barrier of the block's cluster; in a plain launch, that is the block alone.
struct AtClusterBarrier {
  static constexpr auto kKind = machine::RendezvousKind::cluster_barrier;
  ResidentBlock& block;

  machine::RendezvousKind kind() const { return kKind; }
  machine::Rendezvous& rendezvous() const { return block.cluster != nullptr ? block.cluster->barrier : block.alone; }
  unsigned arrived() const { return rendezvous().arrived; }
  unsigned members() const { return block.cluster != nullptr ? block.cluster->barrier.members : block.live; }
  detail::WaitList& waiting() const { return block.cluster_barrier.waiting; }
  const Site& site() const { return block.cluster_barrier.site; }
};

/// The block's part in the barrier of its grid, or of several grids. As in NVIDIA's implementation, the arrival of the
/// block is the work of its first thread; one that has returned is waited for in vain (docs/semantics.md, "Exited
/// threads").
struct AtGridBarrier {
  static constexpr auto kKind = machine::RendezvousKind::grid_barrier;
  ResidentBlock& block;

  machine::RendezvousKind kind() const {
    return block.multi_grid ? machine::RendezvousKind::multi_grid_barrier : kKind;
  }
  unsigned arrived() const { return block.grid_barrier.arrived; }
  unsigned members() const { return block.first_exited ? block.threads + 1 : block.live; }
  detail::WaitList& waiting() const { return block.grid_barrier.waiting; }
  const Site& site() const { return block.grid_barrier.site; }
};

/// A collective of lanes of a warp.
struct AtLanes {
  static constexpr auto kKind = machine::RendezvousKind::lanes;
  ResidentBlock& block;
  ResidentWarp& warp;
  detail::PendingCollective& pending;

  std::uint64_t arrived() const { return pending.arrived; }
  std::uint64_t members() const { return pending.mask & warp.live; }
  detail::WaitList& waiting() const { return pending.waiting; }
};

/// Of the members of a group, those that have not returned. `lanes`: of a warp.
unsigned count_live(const ResidentBlock& block, const GroupRendezvous& group, unsigned lanes);
unsigned count_live(const ResidentBlock& block, const SetRendezvous& group, unsigned lanes);

/// A collective of a group that is larger than a warp: a GroupRendezvous or a SetRendezvous. Its members are counted
/// again whenever a thread of the block returns.
template <class Group>
struct AtGroup {
  static constexpr auto kKind = machine::RendezvousKind::group;
  ResidentBlock& block;
  Group& group;

  void recount(unsigned lanes) const { group.rendezvous.members = count_live(block, group, lanes); }
  unsigned arrived() const { return group.rendezvous.arrived; }
  unsigned members() const { return group.rendezvous.members; }
  detail::WaitList& waiting() const { return group.waiting; }
};

/// A barrier that has a number.
struct AtNamedBarrier {
  static constexpr auto kKind = machine::RendezvousKind::named_barrier;
  NamedBarrier& barrier;
};

/// Whether all have come to it that have not returned, one at least.
template <class Place>
inline bool is_complete(const Place& at) {
  return machine::is_complete(at.arrived(), at.members());
}

/// Calls visit(at) for every barrier that threads of the block may be at.
template <class Visit>
inline void each_barrier(ResidentBlock& block, Visit&& visit) {
  visit(AtBlockBarrier{block});
  visit(AtGridBarrier{block});
  visit(AtClusterBarrier{block});
  visit(AtSplitBarrier{block});
}

/// Calls visit(at) for every rendezvous of groups that threads wait at. It may complete that one.
template <class Visit>
inline void each_open_group(ResidentBlock& block, Visit&& visit) {
  if (block.open_groups == 0) return;
  for (unsigned i = 0; block.groups != nullptr && i < kGroupPlaces; ++i) {
    if (block.groups[i].rendezvous.is_open()) visit(AtGroup<GroupRendezvous>{block, block.groups[i]});
  }
  for (unsigned i = 0; block.sets != nullptr && i < OpenSets::kRows; ++i) {
    for (SetRendezvous* next = block.sets->rows[i]; next != nullptr;)
      visit(AtGroup<SetRendezvous>{block, *std::exchange(next, next->next)});
  }
}

/// Calls visit(at) for every rendezvous of lanes of `warp`. It may complete that one.
template <class Visit>
inline void each_open_lanes(ResidentBlock& block, ResidentWarp& warp, Visit&& visit) {
  warp.each_open([&](detail::PendingCollective& pending) { visit(AtLanes{block, warp, pending}); });
}

/// All of them, of lanes only those of `warps`.
template <class Visit>
inline void each_rendezvous(ResidentBlock& block, std::span<ResidentWarp> warps, Visit&& visit) {
  for (ResidentWarp& warp : warps) each_open_lanes(block, warp, visit);
  each_barrier(block, visit);
  each_open_group(block, visit);
}

/// Whether threads of `block` may be at a barrier that is wider than the block.
inline bool any_wide_open(const ResidentBlock& block) {
  return block.grid_barrier.arrived != 0 || block.cluster != nullptr || block.alone.is_open();
}

/// Whether threads of `block` wait for what another one of `warp` may do, so that its return has to be noticed.
inline bool any_open_for(const ResidentBlock& block, const ResidentWarp& warp) {
  return block.barrier.arrived != 0 || any_wide_open(block) || block.open_groups != 0 || warp.pending.arrived != 0 ||
         warp.others_used != 0;
}

}  // namespace warpfiber::engine
