// SPDX-License-Identifier: Apache-2.0
// A block's time on a worker: it becomes resident with its cluster when the device has room, some thread waits in it or
// none does, and it ends when all its threads have returned. What comes between two blocks that run one after the other
// in the same place is some forty instructions for each block of a kernel that never waits, inlined, since every call
// takes a processor as long as a dozen of them.
#pragma once

#include <warpfiber/detail/shared_variable.hpp>

#include <cstdint>

#include "base/thread_modes.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

class Choosing;

class BlockLifecycle {
 public:
  BlockLifecycle(WorkerState& worker, Choosing& choosing) : worker_(worker), choosing_(choosing) {}

  void begin() {
    spin_budget_ = 0;
    held_ = nullptr;
  }

  /// Makes the next cluster resident, if there is one and the device has a place for it.
  bool admit();
  /// Sets up the warps of a block in which some thread waits.
  void engage(ResidentBlock& block);
  /// Every thread of `block` has returned. A cluster's blocks keep their shared memory until the last of them is done.
  void finish(ResidentBlock& block);

  // The two halves of another block in the same place.
  void note_finished(const ResidentBlock& block);
  void reset_claims(ResidentBlock& block);

  /// Goes that spinning threads may have before another block comes in.
  std::uint64_t spin_budget() const { return spin_budget_; }
  void spend_spins(std::uint64_t goes) { spin_budget_ -= goes; }

 private:
  void start(ResidentBlock& block, uint3 index, Cluster* cluster);
  static void reset_groups(ResidentBlock& block);
  void reset_named(ResidentBlock& block);
  void reset_dynamic(ResidentBlock& block);
  void shuffle_claims(ResidentBlock& block);
  void note_left(const ResidentBlock& block);
  void shift_fibers();

  WorkerState& worker_;
  Choosing& choosing_;
  std::uint64_t spin_budget_ = 0;
  detail::Fiber* held_ = nullptr;  // unused, and not among the worker's idle ones for the time of a block
};

/// Every thread of `block` has returned.
inline void BlockLifecycle::note_finished(const ResidentBlock& block) {
  Grid& grid = worker_.grid();
  ++detail::current_thread.progress;
  if (block.shared_used > grid.static_shared.load(std::memory_order_relaxed)) {
    grid.static_shared.store(block.shared_used, std::memory_order_relaxed);
  }
  if (WARPFIBER_UNLIKELY(!block.returns.empty())) note_left(block);
  base::set_float_mode({});  // faster than to look whether a thread has changed it
}

/// What a block needs before its first thread starts, and all that it needs when it follows another one directly.
inline void BlockLifecycle::reset_claims(ResidentBlock& block) {
  block.live = block.threads;
  block.claimed = block.exited = 0;
  block.returns.clear();
  block.noted_returns = 0;
  block.engaged = block.first_exited = false;
  block.barrier.phase = 0;
  block.shared_used = 0;
  if (WARPFIBER_UNLIKELY(block.named != nullptr)) reset_named(block);
  ++block.serial;
  if (WARPFIBER_UNLIKELY(!worker_.in_order)) shuffle_claims(block);
  if (WARPFIBER_UNLIKELY(worker_.grid().request.dynamic_shared > 0)) reset_dynamic(block);
}

}  // namespace warpfiber::engine
