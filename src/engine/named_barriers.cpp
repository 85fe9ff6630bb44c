// SPDX-License-Identifier: Apache-2.0
// The barriers of a block that kernels name by number. Whoever waits for one is woken like a thread that spins, as at
// barriers in memory (phases.cpp), because who else takes part is known only when the phase is over.
#include <warpfiber/detail/phase.hpp>
#include <warpfiber/intrinsics/named_barrier.hpp>

#include <algorithm>
#include <utility>

#include "engine/findings/groups.hpp"
#include "engine/worker.hpp"

namespace warpfiber::engine {

using detail::current_thread;
using detail::kNamedBarriers;

void NamedBarriers::reset() {
  std::ranges::fill(all_, NamedBarrier{});
}

void Worker::reset_named(ResidentBlock& block) {
  block.named->reset();
  if (observer_ != nullptr) observer_->forget_phases(block.named.get(), sizeof *block.named);
}

unsigned Worker::check_named(unsigned barrier, unsigned threads, const char* call, Site site) {
  const unsigned size = grid_->request.warp_size;
  const unsigned most = (block().threads + size - 1) / size * size;
  const bool counts = threads % size == 0 && threads <= most;
  if (barrier < kNamedBarriers && counts) return threads == detail::kWholeBlock ? most : threads;
  begin_failure();
  if (barrier >= kNamedBarriers) fail_here(no_such_barrier(*this, barrier, call, site));
  fail_here(no_such_count(*this, threads, call, site));
}

std::uint64_t Worker::arrive_at_named(unsigned barrier, unsigned threads, detail::NamedVotes votes, const char* call,
                                      Site site) {
  current_thread.busy = true;
  ResidentBlock& block = this->block();
  if (block.named == nullptr) block.named = std::make_unique<NamedBarriers>();
  NamedBarrier& at = (*block.named)[barrier];
  machine::Rendezvous& rendezvous = at.rendezvous;
  if (!rendezvous.is_open()) {
    rendezvous.members = threads;
    at.first = NamedArrival{call, site, detail::thread_rank()};
  }
  if (rendezvous.members != threads) fail_here(unequal_counts(*this, at, threads, NamedArrival{call, site, 0}));
  const bool reduces = votes.threads != 0;
  if (rendezvous.is_open() && reduces != (at.votes.threads != 0))
    fail_here(reduces_and_not(*this, at, NamedArrival{call, site, 0}));
  at.votes.threads += votes.threads;
  at.votes.hold += votes.hold;
  const std::uint64_t phase = rendezvous.phase;
  if (observer_ != nullptr) observer_->arrive(&at.tokens[phase % 2]);
  if (rendezvous.arrive(grid_->request.warp_size)) {
    rendezvous.complete();
    if (reduces) {
      const unsigned readers = at.votes.threads;
      at.ended[phase] = {std::exchange(at.votes, {}), readers};
    }
  }
  current_thread.busy = false;
  detail::note_write(&at, site);
  return phase;
}

detail::NamedVotes Worker::take_votes(unsigned barrier, std::uint64_t phase) {
  current_thread.busy = true;
  NamedBarrier& at = (*block().named)[barrier];
  const auto ended = at.ended.find(phase);
  const detail::NamedVotes votes = ended->second.votes;
  if (--ended->second.readers == 0) at.ended.erase(ended);
  current_thread.busy = false;
  return votes;
}

void Worker::wait_at_named(unsigned barrier, std::uint64_t phase, const char* call, Site site) {
  const NamedBarrier& at = (*block().named)[barrier];
  const machine::Rendezvous& rendezvous = at.rendezvous;
  while (rendezvous.phase == phase) {
    const detail::PhaseWait wait{call, rendezvous.members, rendezvous.missing(), 0, false, static_cast<int>(barrier)};
    detail::wait_for_phase(&at, phase << 16 | rendezvous.arrived, wait, site);
  }
  if (observer_ != nullptr) observer_->wait(&at.tokens[phase % 2]);
}

}  // namespace warpfiber::engine
