// SPDX-License-Identifier: Apache-2.0
// The open rendezvous of a block: what its threads wait at. The check when a thread returns and the analysis of stalls
// read them here, whatever their kind. Threads at barriers that have a number, or lie in memory, spin
// (ResidentBlock::yielded) and say what for.
#pragma once

#include <warpfiber/detail/machine.hpp>

#include <utility>

#include "engine/state/block.hpp"
#include "machine/rendezvous.hpp"

namespace warpfiber::engine {

/// Threads of a block that wait at a barrier.
struct OpenBarrier {
  machine::RendezvousKind kind;
  const detail::WaitList& waiting;
  const Site& site;
};

/// Calls visit(open) for every barrier that threads of the block wait at.
template <class Visit>
inline void each_open_barrier(const ResidentBlock& block, Visit&& visit) {
  using Kind = machine::RendezvousKind;
  const Kind of_grid = block.multi_grid ? Kind::multi_grid_barrier : Kind::grid_barrier;
  const OpenBarrier all[] = {{Kind::block_barrier, block.barrier.waiting, block.barrier.site},
                             {of_grid, block.grid_barrier.waiting, block.grid_barrier.site},
                             {Kind::cluster_barrier, block.cluster_barrier.waiting, block.cluster_barrier.site},
                             {Kind::split_barrier, block.split_waits.waiting, block.split_waits.site}};
  for (const OpenBarrier& one : all) {
    if (!one.waiting.empty()) visit(one);
  }
}

/// Calls visit(group) for every rendezvous of groups that threads wait at. It may complete that one.
template <class Visit>
inline void each_open_group(const ResidentBlock& block, Visit&& visit) {
  if (block.open_groups == 0) return;
  for (unsigned i = 0; block.groups != nullptr && i < kGroupPlaces; ++i) {
    if (block.groups[i].rendezvous.is_open()) visit(block.groups[i]);
  }
  for (unsigned i = 0; block.sets != nullptr && i < OpenSets::kRows; ++i) {
    for (SetRendezvous* next = block.sets->rows[i]; next != nullptr;) visit(*std::exchange(next, next->next));
  }
}

/// Whether all lanes of `pending` that have not returned have come.
inline bool is_complete(const ResidentWarp& warp, const detail::PendingCollective& pending) {
  return pending.arrived == (pending.mask & warp.live);
}

/// Whether all threads of the block that have not returned have come to its barrier.
inline bool is_complete(const ResidentBlock& block, const detail::Barrier& barrier) {
  return barrier.arrived != 0 && barrier.arrived == block.live;
}

/// The same of its part in the grid's barrier, for which its first thread has to be there.
inline bool is_complete(const ResidentBlock& block, const detail::WideBarrier& barrier) {
  return barrier.arrived != 0 && barrier.arrived == block.live && !block.first_exited;
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
