// SPDX-License-Identifier: Apache-2.0
// Counts warps, not threads: each is asked for as a whole.
#include "engine/arrivals/named_barriers.hpp"

#include <warpfiber/intrinsics/phase.hpp>

#include "engine/findings/groups.hpp"

namespace warpfiber::engine {

using detail::current_thread;
using detail::kNamedBarriers;

unsigned NamedArrivals::check(unsigned barrier, unsigned threads, const char* call, Site site) {
  const unsigned size = worker_.grid().request.warp_size;
  const unsigned most = (worker_.block().threads + size - 1) / size * size;
  const bool counts = threads % size == 0 && threads <= most;
  if (barrier < kNamedBarriers && counts) return threads == detail::kWholeBlock ? most : threads;
  WorkerState::begin_failure();
  if (barrier >= kNamedBarriers) choosing_.fail_here(no_such_barrier(worker_, barrier, call, site));
  choosing_.fail_here(no_such_count(worker_, threads, call, site));
}

std::uint64_t NamedArrivals::arrive(unsigned barrier, unsigned threads, detail::NamedVotes votes, const char* call,
                                    Site site) {
  current_thread.busy = true;
  ResidentBlock& block = worker_.block();
  if (block.named == nullptr) block.named = std::make_unique<NamedBarriers>();
  NamedBarrier& at = (*block.named)[barrier];
  machine::Rendezvous& rendezvous = at.rendezvous;
  if (!rendezvous.is_open()) {
    rendezvous.members = threads;
    at.first = NamedArrival{call, site, detail::thread_rank()};
  }
  if (rendezvous.members != threads)
    choosing_.fail_here(unequal_counts(worker_, at, threads, NamedArrival{call, site, 0}));
  const bool reduces = votes.threads != 0;
  if (rendezvous.is_open() && reduces != (at.votes.threads != 0))
    choosing_.fail_here(reduces_and_not(worker_, at, NamedArrival{call, site, 0}));
  at.votes.threads += votes.threads;
  at.votes.hold += votes.hold;
  const std::uint64_t phase = rendezvous.phase;
  if (worker_.observer != nullptr) worker_.observer->arrive(at.token());
  if (rendezvous.arrive(worker_.grid().request.warp_size)) releasing_.release(AtNamedBarrier{at});
  current_thread.busy = false;
  detail::note_write(&at, site);
  return phase;
}

detail::NamedVotes NamedArrivals::take_votes(unsigned barrier, std::uint64_t phase) {
  current_thread.busy = true;
  NamedBarrier& at = (*worker_.block().named)[barrier];
  const auto ended = at.ended.find(phase);
  const detail::NamedVotes votes = ended->second.votes;
  if (--ended->second.readers == 0) at.ended.erase(ended);
  current_thread.busy = false;
  return votes;
}

void NamedArrivals::wait(unsigned barrier, std::uint64_t phase, const char* call, Site site) {
  const NamedBarrier& at = (*worker_.block().named)[barrier];
  const machine::Rendezvous& rendezvous = at.rendezvous;
  while (rendezvous.phase == phase) {
    const detail::PhaseWait wait{call, rendezvous.members, rendezvous.missing(), 0, false, static_cast<int>(barrier)};
    detail::wait_for_phase(&at, phase << 16 | rendezvous.arrived, wait, site);
  }
  if (worker_.observer != nullptr) worker_.observer->wait(at.token_of(phase));
}

}  // namespace warpfiber::engine
