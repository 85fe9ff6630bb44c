// SPDX-License-Identifier: Apache-2.0
// A thread that has arrived at the same barrier in two parts finishes that phase first.
#include "engine/arrivals/whole_barriers.hpp"

#include "engine/findings/findings.hpp"

namespace warpfiber::engine {

using detail::Fiber;
using detail::Operation;
using detail::SplitBarrier;
using detail::Switch;
using machine::Arrival;
using machine::RendezvousKind;

Switch WholeBarriers::arrive_at_block(Operation kind, bool predicate, Site site) {
  Fiber* self = waits_.begin();
  ResidentBlock& block = worker_.block();
  split_.finish_phase_first(block, self, SplitBarrier::block, site);
  constexpr machine::SiteRule kSites = traits_of(RendezvousKind::block_barrier).sites;
  detail::Barrier& barrier = block.barrier;
  if (barrier.arrived == 0) barrier.kind = kind;
  const Arrival arrival =
      barrier.kind == kind ? machine::arrive(barrier, block.live, kSites, site) : Arrival::elsewhere;
  if (arrival == Arrival::elsewhere) {
    // If warps are divided, reported as a whole once no other thread of the block can run.
    block.mismatched_arrivals.push_back(MismatchedArrival{self, site, kind, predicate});
    releasing_.pair_whole_warps(block);
    return waits_.choosing().suspend(self);
  }
  barrier.count += predicate;
  if (arrival == Arrival::completes) {
    releasing_.release(AtBlockBarrier{block});
    return waits_.go_on(self);
  }
  barrier.waiting.append(self);
  if (!block.mismatched_arrivals.empty()) releasing_.pair_whole_warps(block);
  return waits_.choosing().suspend(self);
}

Switch WholeBarriers::arrive_at_cluster(Site site) {
  ResidentBlock& block = worker_.block();
  if (block.open_arrivals != 0) split_.finish_phase_first(block, waits_.begin(), SplitBarrier::cluster, site);
  // A plain launch has clusters of one block.
  if (block.cluster == nullptr) return arrive_at_block(Operation::block_barrier, false, site);
  Fiber* self = waits_.begin();
  block.cluster_barrier.site = site;
  block.cluster->barrier.arrive();
  block.cluster_barrier.waiting.append(self);
  releasing_.release_if_complete(AtClusterBarrier{block});
  if (!worker_.in_order && !block.cluster->barrier.is_open()) waits_.yield_by_policy(*self);
  return waits_.choosing().suspend(self);
}

Switch WholeBarriers::arrive_at_grid(Site site) {
  Fiber* self = waits_.begin();
  note_grid_barrier(worker_.grid());
  if (!worker_.grid().request.cooperative) {
    waits_.choosing().fail_here(grid_barrier_in_plain_launch(worker_, site));
  }
  return arrive_wide(self, false, site);
}

Switch WholeBarriers::arrive_at_grids(Site site) {
  Fiber* self = waits_.begin();
  if (worker_.grid().request.multi == nullptr) {
    waits_.choosing().fail_here(multi_grid_barrier_in_other_launch(worker_, site));
  }
  // One line may hold both barriers (a template of a group); kernels' inlined path of the grid barrier must not take
  // this one for its own.
  site.column = ~site.column;
  return arrive_wide(self, true, site);
}

Switch WholeBarriers::arrive_wide(Fiber* self, bool multi_grid, Site site) {
  ResidentBlock& block = worker_.block();
  split_.finish_phase_first(block, self, SplitBarrier::grid, site);
  releasing_.wake_if_open(block);
  detail::WideBarrier& barrier = block.grid_barrier;
  if (barrier.arrived == 0) {
    barrier.split = false;
    block.multi_grid = multi_grid;
  }
  const machine::RendezvousTraits& traits =
      traits_of(multi_grid || block.multi_grid ? RendezvousKind::multi_grid_barrier : RendezvousKind::grid_barrier);
  if (machine::arrive(barrier, block.live, traits.sites, site) == Arrival::elsewhere) {
    waits_.choosing().fail_here(wide_barrier_divergence(worker_, traits.name, barrier.waiting, barrier.site, site));
  }
  barrier.waiting.append(self);
  releasing_.release_if_complete(AtGridBarrier{block});
  return waits_.choosing().suspend(self);
}

}  // namespace warpfiber::engine
