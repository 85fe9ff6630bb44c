// SPDX-License-Identifier: Apache-2.0
// Which thread runs on which fiber. A fiber claims threads of a block one after another and runs each to its end; a
// thread that waits keeps the fiber it is on ("bound"), and another fiber goes on claiming.
// Threads that return without ever having waited are counted late, all at once: when a thread of their block binds, or
// when the block's last thread has been claimed. Until then no other thread of the block runs, so the delay is not
// seen. The commonest first wait and the commonest end of a thread are a few instructions each that every thread of a
// block with a barrier goes through: inlined into what kernels call.
#pragma once

#include <optional>

#include "engine/choosing/blocks.hpp"
#include "engine/choosing/choosing.hpp"
#include "engine/observing/observing.hpp"
#include "engine/rendezvous/lane_collectives.hpp"
#include "engine/rendezvous/releasing.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

struct ProcessorFault;

/// Of one worker.
class Claims {
 public:
  Claims(Choosing& choosing, BlockLifecycle& blocks, Releasing& releasing, LaneCollectives& lanes, WorkerState& worker)
      : worker_(worker), choosing_(choosing), blocks_(blocks), releasing_(releasing), lanes_(lanes) {}

  void begin();

  /// The first wait of the running thread, which keeps its fiber (the commonest is in first_waits.hpp).
  detail::Fiber* bind();

  // Called by the claiming loop.
  /// It has run the threads of a row. True: the built-in variables name the next thread to run. False: this fiber has
  /// no thread to go on with.
  bool next_row();
  /// The running fiber has no thread to go on with: its thread has returned after waiting, or nothing is left to claim.
  /// It goes back among the unused, from where it may be taken at once.
  detail::Switch finish(detail::CurrentThread& current);

  /// Calls GridRequest::run_block for the block that is being claimed and for those that follow it in its place. True:
  /// the current one is for fibers. False: as of next_row().
  bool run_blocks();
  /// Whether such a call is under way.
  bool in_block_function() const { return in_block_function_; }

  /// The launch ends with what the running thread has done, or has_row_to_rerun() says that its row has to run once
  /// more before it is known which thread that is.
  void note_fault(const ProcessorFault& fault);
  /// The same where the thread goes on without the access.
  void note_left_out(const ProcessorFault& fault);
  bool has_row_to_rerun() const { return fault_of_row_.has_value(); }
  /// Runs the threads of the interrupted row once more, in a loop that keeps their index; those of a block that a
  /// function ran, by fibers.
  [[noreturn]] void rerun_row();
  /// The function that runs the block does not get through, which is no fault: the same.
  [[noreturn]] void rerun_block();

 private:
  void retire_range(ResidentBlock& block, unsigned first, unsigned last);
  void retire_thread(detail::Fiber& fiber);
  bool restart_with_next_block(ResidentBlock& block);
  void fail_with_row();
  void leave_to_fibers();
  void begin_rerun(ResidentBlock& block);
  detail::Switch finish_slowly();

  WorkerState& worker_;
  Choosing& choosing_;
  BlockLifecycle& blocks_;
  Releasing& releasing_;
  LaneCollectives& lanes_;
  std::optional<record::Finding> fault_of_row_;  // what a thread of the row that runs once more has done
  bool in_block_function_ = false;
};

}  // namespace warpfiber::engine
