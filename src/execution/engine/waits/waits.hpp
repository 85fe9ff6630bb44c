// SPDX-License-Identifier: Apache-2.0
// How the running thread waits, whatever for, and how it goes on: what all arrivals have in common. The commonest waits
// are inlined into kernels (<warpfiber/detail/lanes/fibers.hpp>) and never come here.
// A wait: begin(), then the thread is put into a list, then the switch that Choosing::suspend() decides on; or go_on()
// where it has completed what others wait for.
#pragma once

#include <warpfiber/detail/lanes/fibers.hpp>

#include "engine/choosing/blocks.hpp"
#include "engine/choosing/choosing.hpp"
#include "engine/claims/claims.hpp"
#include "engine/convergence/reconvergence.hpp"
#include "engine/rendezvous/lane_collectives.hpp"
#include "engine/rendezvous/releasing.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

/// Of one worker.
class Waits {
 public:
  Waits(WorkerState& worker, Choosing& choosing, BlockLifecycle& blocks, Releasing& releasing, LaneCollectives& lanes,
        Reconvergence& reconvergence, Claims& claims)
      : worker_(worker),
        choosing_(choosing),
        blocks_(blocks),
        releasing_(releasing),
        lanes_(lanes),
        reconvergence_(reconvergence),
        claims_(claims) {}

  void begin_launch() { turns_ = 0; }

  WorkerState& worker() { return worker_; }
  Choosing& choosing() { return choosing_; }
  Releasing& releasing() { return releasing_; }
  LaneCollectives& lanes() { return lanes_; }

  /// The running thread is about to wait, or to complete what others wait for: it has a fiber of its own from now on.
  /// Does not come back where the launch has been stopped.
  detail::Fiber* begin();
  /// Does a switch on the spot, for calls that no kernel inlines.
  void wait(detail::Switch decided);
  /// `self` has completed a rendezvous and goes on, unless it is the turn of others.
  detail::Switch go_on(detail::Fiber* self);
  /// The same where what follows is not to go on: now and then it is the turn of others first, of an unstarted thread
  /// of the block, or of other blocks. Returns the fiber to enter then, else null; `self` is then to be among the
  /// ready.
  detail::Fiber* others_turn(const detail::Fiber& self);
  /// `self` has completed a rendezvous under a policy.
  void yield_by_policy(const detail::Fiber& self);
  /// Threads that could go on for ever have had their turn: whoever only runs when no other thread can may run now.
  void let_all_run();
  /// The running thread is about to access memory. In lock-step the other lanes come to theirs first.
  void step_to_next_lane();

 private:
  WorkerState& worker_;
  Choosing& choosing_;
  BlockLifecycle& blocks_;
  Releasing& releasing_;
  LaneCollectives& lanes_;
  Reconvergence& reconvergence_;
  Claims& claims_;
  unsigned turns_ = 0;  // that have ended since a block was last admitted for their sake
};

}  // namespace warpfiber::engine
