// SPDX-License-Identifier: Apache-2.0
// The barriers of a block that kernels name by number. Whoever waits for one is woken like a thread that spins, as at
// barriers in memory (phases.cpp), because who else takes part is known only when the phase is over.
#pragma once

#include <warpfiber/intrinsics/named_barrier.hpp>

#include "engine/choosing/choosing.hpp"
#include "engine/rendezvous/releasing.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

/// Of one worker. `call` is what the running thread has called.
class NamedArrivals {
 public:
  NamedArrivals(WorkerState& worker, Choosing& choosing, Releasing& releasing)
      : worker_(worker), choosing_(choosing), releasing_(releasing) {}

  /// How many threads `threads` stands for. Ends the launch if there is no such barrier, or no such count.
  unsigned check(unsigned barrier, unsigned threads, const char* call, Site site);
  /// The warp of the running thread arrives, with its votes in a reduction. Returns the phase.
  std::uint64_t arrive(unsigned barrier, unsigned threads, detail::NamedVotes votes, const char* call, Site site);
  void wait(unsigned barrier, std::uint64_t phase, const char* call, Site site);
  /// The votes of a phase that is over.
  detail::NamedVotes take_votes(unsigned barrier, std::uint64_t phase);

 private:
  WorkerState& worker_;
  Choosing& choosing_;
  Releasing& releasing_;
};

}  // namespace warpfiber::engine
