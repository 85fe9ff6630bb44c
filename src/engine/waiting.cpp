// SPDX-License-Identifier: Apache-2.0
// The slow half of waiting: the first wait of a thread, the last arrival at a rendezvous, everything unusual, and every
// wait under a policy that has to be asked. The fast half is inlined from <warpfiber/detail/wait.hpp>.
#include <algorithm>
#include <bit>
#include <utility>

#include "base/contract.hpp"
#include "engine/claims/first_waits.hpp"
#include "engine/convergence/maskless.hpp"
#include "engine/findings/findings.hpp"
#include "engine/findings/lane_groups.hpp"
#include "engine/rendezvous_table.hpp"
#include "engine/worker.hpp"
#include "fiber/tools.hpp"

namespace warpfiber::engine {

using detail::BarrierKind;
using detail::Collective;
using detail::Convoy;
using detail::current_thread;
using detail::Fiber;
using detail::Gather;
using detail::LaneArgument;
using detail::Switch;

namespace {

// A warp whose lanes have met goes on before other warps, for the sake of the caches, but not for ever: a warp that
// spins through collectives must not keep the rest of its block from running.
constexpr unsigned kReleasesInARow = 256;
// And so for a block that goes from barrier to barrier while threads of another block wait for their turn.
constexpr unsigned kReleasesInATurn = 4096;
// A policy with priorities would let those who meet again and again go first for ever; to it they then yield.
constexpr unsigned kReleasesBeforeYield = 64;
unsigned barrier_result(BarrierKind kind, unsigned count, unsigned arrived) {
  switch (kind) {
    case BarrierKind::plain: return 0;
    case BarrierKind::count: return count;
    case BarrierKind::all_of: return count == arrived;
    case BarrierKind::any_of: return count != 0;
    case BarrierKind::split: return 0;
  }
  return 0;
}

/// Whether calls of these kinds, with the same mask, meet each other.
bool meet(const Collective& one, const Collective& other) {
  return &one == &other || one.meets == &other || other.meets == &one;
}

}  // namespace

Fiber* Worker::begin_wait() {
  current_thread.busy = true;
  if (grid_->stopped()) abandon_fiber();
  if (current_thread.convoy != nullptr) end_convoy();
  return current_thread.claimer != nullptr ? bind() : running();
}

/// Whether those who meet next go on before others that are ready.
bool Worker::in_a_row() const {
  return releases_ % kReleasesInARow != 0;
}

/// In the shape of most launches, a warp's threads have the same threadIdx.z.
bool Worker::may_form_convoys() const {
  const bool turn = (releases_ + 1) % kReleasesInARow == 0;
  const bool flat = blockDim.z == 1 || blockDim.x * blockDim.y % detail::kConvoyLanes == 0;
  return in_order_ && observer_ == nullptr && !turn && warpSize == detail::kConvoyLanes && flat;
}

/// Counts a completed rendezvous, after which it may be the turn of those who only run when nobody else can.
void Worker::count_release() {
  if (++releases_ % kReleasesInATurn == 0) turn_ended_ = true;
}

/// The same for the thread that completed it, under a policy.
void Worker::yield_by_policy(const Fiber& self) {
  if (releases_ % kReleasesBeforeYield == 0) policy_.yielded(id_of(self));
  if (std::exchange(turn_ended_, false)) let_all_run();
}

/// `self` has completed a rendezvous. Now and then it is the turn of others first: of an unstarted thread of the block,
/// or of other blocks. Returns the fiber to enter then, else null; `self` is then to be among the ready ones.
Fiber* Worker::others_turn(const Fiber& self) {
  count_release();
  if (!in_order_) {
    yield_by_policy(self);
    return nullptr;
  }
  if (releases_ % kReleasesInARow != 0) return nullptr;
  ResidentBlock& block = this->block();
  if (block.claimed < block.threads) return enter_claim(block);
  if (!turn_ended_) return nullptr;
  reconvergence_.resolve_overdue(block);
  block.queued = true;
  runnable_.push_back(&block);
  return enter_host();
}

/// `self` has completed a rendezvous and goes on, unless it is the turn of others.
Switch Worker::go_on(Fiber* self) {
  ResidentBlock& block = this->block();
  Fiber* next = others_turn(*self);
  if (next == nullptr) return reschedule(self);
  block.ready.append(self);
  return Switch{self, next};
}

/// Does a switch on the spot, for calls that no kernel inlines.
void Worker::wait(Switch decided) {
  fiber::leave(decided);
  current_thread.busy = false;
}

Switch Worker::arrive_at_barrier(BarrierKind kind, bool predicate, Site site) {
  Fiber* self = begin_wait();
  ResidentBlock& block = this->block();
  finish_phase_first(block, self, detail::SplitBarrier::block, site);
  detail::Barrier& barrier = block.barrier;
  constexpr machine::SiteRule kSites = traits_of(machine::RendezvousKind::block_barrier).sites;
  if (barrier.arrived == 0) barrier.kind = kind;
  const machine::Arrival arrival =
      barrier.kind == kind ? machine::arrive(barrier, block.live, kSites, site) : machine::Arrival::elsewhere;
  if (arrival == machine::Arrival::elsewhere) {
    // Reported as a whole once no other thread of the block can run.
    block.mismatched_arrivals.push_back(MismatchedArrival{self, site});
    return suspend(self);
  }
  barrier.count += predicate;
  if (arrival == machine::Arrival::completes) {
    release_barrier(block);
    return go_on(self);
  }
  barrier.waiting.append(self);
  return suspend(self);
}

void Worker::release_barrier(ResidentBlock& block) {
  detail::Barrier& barrier = block.barrier;
  barrier.result = barrier_result(barrier.kind, barrier.count, barrier.arrived);
  barrier.arrived = barrier.count = 0;
  if (observer_ != nullptr && barrier.kind != BarrierKind::split) {
    report_block_release(*observer_, block, barrier.site);
    if (grid_->request.checked() && block.live != block.threads)
      note_release_by_exits(block, "__syncthreads()", false, barrier.site);
  }
  ++barrier.phase;
  ++barriers_;
  ++current_thread.progress;
  make_ready(block, barrier.waiting);
  if (!block.split_waits.waiting.empty()) make_ready(block, block.split_waits.waiting);
}

Switch Worker::arrive_at_collective(const Collective& collective, std::uint64_t mask, LaneArgument* argument) {
  const bool claims_on = this->claims_on();
  Fiber* self = claims_on ? begin_wait_claiming() : begin_wait();
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  const std::uint64_t bit = std::uint64_t{1} << self->lane;
  if ((mask & bit) == 0) fail_here(caller_outside_mask(*this, *self, collective, mask, *argument));
  Gather& gather = gather_for(warp, collective, mask);
  warp.arguments[self->lane] = argument;
  gather.arrived |= bit;
  if (is_complete(warp, gather)) {
    if (collective.shuffles && may_form_convoys() && !gather.waiting.empty()) {
      if (Convoy* convoy = warp.convoy_for(mask); convoy != nullptr) return start_convoy(self, warp, gather, *convoy);
    }
    complete(block(), warp, gather);
    return go_on(self);
  }
  gather.waiting.append(self);
  return claims_on ? suspend_claiming(self) : suspend(self);
}

/// The rendezvous that lanes of `mask` are having at `collective`, or a new one.
Gather& Worker::gather_for(ResidentWarp& warp, const Collective& collective, std::uint64_t mask) {
  Gather* match = nullptr;
  warp.each_open([&](Gather& open) {
    if (open.mask == mask && meet(*open.collective, collective)) match = &open;
  });
  if (match != nullptr) {
    if (match->collective->meets == &collective) match->collective = &collective;  // what all arguments say
    return *match;
  }
  Gather& fresh = warp.gather.arrived == 0 ? warp.gather : warp.free_other();
  fresh.mask = mask;
  fresh.collective = &collective;
  return fresh;
}

void Worker::complete(ResidentBlock& block, ResidentWarp& warp, Gather& gather) {
  if (gather.arrived == 0) return;
  answer(warp, gather);
  make_ready(block, gather.waiting, in_a_row());
}

void Worker::answer(ResidentWarp& warp, Gather& gather) {
  std::uint64_t row[detail::kMaxWarpSize];
  std::uint64_t* offered = row;
  if (gather.taking != 0) {
    Convoy& convoy = *gather.convoy;
    offered = convoy.offered;
    machine::withdraw(offered, gather.mask & ~gather.arrived);
    std::swap(convoy.offered, convoy.offered_next);
  }
  if (observer_ != nullptr) report_lane_release(*observer_, warp, gather);
  const record::ScopedPause pause(observer_);
  gather.collective->complete(detail::Meeting{warp.arguments, gather.arrived, gather.arrived & ~gather.taking, offered,
                                              grid_->request.warp_size});
  gather.arrived = gather.taking = 0;
  warp.met = true;
  ++current_thread.progress;
}

/// The lanes that have met go on one after the other, `self`, which came last, as the last.
Switch Worker::start_convoy(Fiber* self, ResidentWarp& warp, Gather& gather, Convoy& convoy) {
  const std::uint64_t absent = gather.mask & ~gather.arrived;
  answer(warp, gather);
  machine::withdraw(convoy.offered, absent);
  machine::withdraw(convoy.offered_next, absent);
  convoy.kind = gather.collective;
  convoy.origin = origin_of(*gather.collective, warp.arguments[self->lane]);
  gather.waiting.append(self);
  return run_convoy(self, convoy, gather.waiting);
}

Switch Worker::run_convoy(Fiber* self, Convoy& convoy, detail::WaitList& lanes) {
  count_release();
  convoy.rounds = kReleasesInARow - 1 - releases_ % kReleasesInARow;
  convoy.first = lanes.head;
  convoy.tail = lanes.tail;
  *convoy.tail = nullptr;
  lanes.clear();
  enter_bound(convoy.first);
  current_thread.waitable = nullptr;
  current_thread.convoy = &convoy;
  return Switch{self, convoy.first};
}

/// The running lane does something else than the others of its convoy.
void Worker::end_convoy() {
  Convoy& convoy = *current_thread.convoy;
  Fiber* self = current_thread.fiber;
  current_thread.convoy = nullptr;
  current_thread.waitable = self;
  releases_ += kReleasesInARow - 1 - releases_ % kReleasesInARow - convoy.rounds;
  if (self->next != nullptr) {
    detail::WaitList behind;
    behind.head = self->next;
    behind.tail = convoy.tail;
    block().ready.prepend_all(behind);
  }
  if (self == convoy.first) return;
  if (convoy.mask == 0) return await_others(static_cast<MasklessConvoy&>(convoy), self);
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  Gather& gather = gather_for(warp, *convoy.kind, convoy.mask);
  gather.convoy = &convoy;
  for (Fiber *fiber = convoy.first, *next = nullptr; fiber != self; fiber = next) {
    next = fiber->next;
    warp.arguments[fiber->lane] = &convoy.place;
    gather.arrived |= std::uint64_t{1} << fiber->lane;
    gather.waiting.append(fiber);
  }
  gather.taking = gather.arrived;
}

}  // namespace warpfiber::engine
