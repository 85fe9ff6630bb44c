// SPDX-License-Identifier: Apache-2.0
// Threads that let others run: they poll an atomic, call a fence or __nanosleep, or were preempted in a loop. They run
// again when nothing better can. A launch in which only such threads run, in circles, is a livelock: decided by what
// they do, never by how long it takes.
#pragma once

#include <cstdint>

#include "engine/choosing/blocks.hpp"
#include "engine/choosing/choosing.hpp"
#include "engine/convergence/reconvergence.hpp"
#include "engine/liveness/busy_turns.hpp"
#include "engine/liveness/circles.hpp"
#include "engine/liveness/poll_turns.hpp"
#include "engine/state/worker_state.hpp"
#include "engine/waits/waits.hpp"

namespace warpfiber::engine {

/// Frames have holes, in which bytes of calls that have returned, or of signals, would look like a new state of the
/// calling thread. It is about to call what stands in its stack while it waits.
void wipe_dead_stack();
/// Whether the states of the worker's threads, of which their stacks are a part, are being compared.
bool compares_states();

/// Of one worker.
class Spinning {
 public:
  Spinning(Waits& waits, BlockLifecycle& blocks, Reconvergence& reconvergence)
      : worker_(waits.worker()),
        choosing_(waits.choosing()),
        blocks_(blocks),
        reconvergence_(reconvergence),
        waits_(waits),
        circles_(worker_) {}

  void begin();

  // Called by the running thread.
  /// `state` is a number for the registers and the stack of the calling thread, 0 if not known.
  void let_others_run(const SpinNote& where, std::uint64_t state);
  /// The running thread has been through a loop and has changed nothing by which it could leave it.
  void note_idle_pass(Site site);
  /// It has left that loop.
  void note_idle_end();
  /// The running thread has changed memory. Every other policy is asked each time.
  bool ends_turn();
  /// The time of the launch is over: the running thread stays where it is, and the worker goes to where all rest.
  void stay(const SpinNote& where);
  /// To the watchdog the launch seems dead. Whether somebody outside can help is asked on the worker's own stack; the
  /// running thread goes on if so.
  void ask_whether_dead(const SpinNote& where);

  // Called by the worker's loop.
  void end_if_dead();
  /// Lets every thread that has let others run have another go. False if there is none.
  bool spin_round();
  /// The same where that is better than to make another block resident.
  bool spin_before_admission();
  /// Looks at threads that do nothing but meet. True if that ends the launch.
  bool look_at_meetings();

  BusyTurns& busy_turns() { return busy_turns_; }
  PollTurns& polls() { return polls_; }
  Circles& circles() { return circles_; }

 private:
  std::uint64_t progress_of_others() const;
  void count_spin_by_policy();
  void report_to_policy(base::FiberId self, bool writes);

  WorkerState& worker_;
  Choosing& choosing_;
  BlockLifecycle& blocks_;
  Reconvergence& reconvergence_;
  Waits& waits_;
  Circles circles_;
  PollTurns polls_;
  BusyTurns busy_turns_;
  std::uint64_t spin_polls_ = 0;
  unsigned idle_passes_ = 0;  // since some thread let others run
  base::FiberId last_writer_ = base::kNoFiber;
  std::uint64_t writes_in_a_row_ = 0;  // of that thread, under a policy
  std::uint64_t seen_of_others_ = 0;   // what other workers had done when the first of its threads yielded
};

}  // namespace warpfiber::engine
