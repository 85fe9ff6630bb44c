// SPDX-License-Identifier: Apache-2.0
// A worker runs blocks on one OS thread: it admits them as residency allows, runs their threads on its fibers, and
// finds out when nothing can go on. This is its loop, on the OS thread's own stack, and the parts that the running
// thread calls on its fiber. Each part owns its state; what they share is WorkerState. A part is listed after those
// that it uses:
//   choosing, blocks     which thread is next, and how a block begins and ends (choosing)
//   reconvergence        lanes that ask which lanes are with them (convergence)
//   releasing, lanes     what follows when all have come (rendezvous)
//   claims               which thread runs on which fiber (claims)
//   waits                what every wait has in common (waits)
//   the arrivals         how the running thread comes to each kind of rendezvous (arrivals)
//   spinning             threads that let others run (liveness)
#pragma once

#include <cstddef>
#include <vector>

#include "engine/arrivals/block_exchange.hpp"
#include "engine/arrivals/converging_arrivals.hpp"
#include "engine/arrivals/group_arrivals.hpp"
#include "engine/arrivals/lane_arrivals.hpp"
#include "engine/arrivals/named_barriers.hpp"
#include "engine/arrivals/split_barriers.hpp"
#include "engine/arrivals/whole_barriers.hpp"
#include "engine/choosing/blocks.hpp"
#include "engine/choosing/choosing.hpp"
#include "engine/claims/claims.hpp"
#include "engine/convergence/reconvergence.hpp"
#include "engine/findings/left_stacks.hpp"
#include "engine/liveness/loop_looks.hpp"
#include "engine/liveness/spinning.hpp"
#include "engine/observing/observing.hpp"
#include "engine/preempt.hpp"
#include "engine/rendezvous/lane_collectives.hpp"
#include "engine/rendezvous/releasing.hpp"
#include "engine/state/worker_state.hpp"
#include "engine/waits/waits.hpp"

namespace warpfiber::engine {

class Worker : public WorkerState {
 public:
  /// The worker of this OS thread while it runs kernels, else null.
  static Worker* current() { return static_cast<Worker*>(WorkerState::current()); }

  /// Takes part in `grid` until nothing is left for this worker. `number` counts the launch's workers from 0.
  void run(Grid& grid, unsigned number);

  Claims& claims() { return claims_; }
  Waits& waits() { return waits_; }
  Spinning& spinning() { return spinning_; }
  WholeBarriers& whole_barriers() { return whole_barriers_; }
  SplitBarriers& split_barriers() { return split_barriers_; }
  NamedArrivals& named_barriers() { return named_; }
  LaneArrivals& lane_arrivals() { return lane_arrivals_; }
  GroupArrivals& group_arrivals() { return group_arrivals_; }
  ConvergingArrivals& converging() { return converging_; }
  BlockExchange& exchange() { return exchange_; }
  Choosing& choosing() { return choosing_; }
  Sampler& sampler() { return sampler_; }

  /// Ends the launch with a finding about the running thread; does not come back.
  [[noreturn]] void fail_here(record::Finding finding) { choosing_.fail_here(std::move(finding)); }
  /// The kernel threw: the launch ends once the handler, which must not be left by a switch, has been left.
  void keep_exception();
  /// What checks have found in the launch, which goes no further.
  std::vector<record::Finding> found_so_far() const;
  /// The top of a stack that no fiber uses, for leaving a fiber whose own stack is of no use any more.
  void* emergency_stack() { return emergency_stack_ + sizeof emergency_stack_ - 8; }

 private:
  void be_found_by_signals();
  static void be_lost_to_signals();
  void begin(Grid& grid, unsigned number);
  void begin_thread();
  void end();
  bool step();
  void enter(ResidentBlock& block);

  KnownStacks known_stacks_{stacks};
  LaunchObservers observers_;
  Choosing choosing_{*this, blocks_};
  BlockLifecycle blocks_{*this, choosing_};
  Reconvergence reconvergence_{*this, choosing_};
  Releasing releasing_{*this, choosing_, observers_};
  LaneCollectives lanes_{*this};
  Claims claims_{choosing_, blocks_, releasing_, lanes_, *this};
  Waits waits_{*this, choosing_, blocks_, releasing_, lanes_, reconvergence_, claims_};
  SplitBarriers split_barriers_{waits_};
  WholeBarriers whole_barriers_{waits_, split_barriers_};
  NamedArrivals named_{*this, choosing_, releasing_};
  LaneArrivals lane_arrivals_{waits_};
  GroupArrivals group_arrivals_{waits_};
  ConvergingArrivals converging_{waits_, reconvergence_};
  BlockExchange exchange_{*this, choosing_};
  Spinning spinning_{waits_, blocks_, reconvergence_};
  LoopLooks loop_looks_;
  Sampler sampler_;
  bool has_written_ = false;  // the last launch has
  alignas(16) char emergency_stack_[16 * 1024];
};

/// The running thread lets others run; its state says whether it runs in circles (entry.cpp).
void spin(const SpinNote& note);

}  // namespace warpfiber::engine
