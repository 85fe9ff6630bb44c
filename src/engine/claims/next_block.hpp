// SPDX-License-Identifier: Apache-2.0
// What comes between two blocks that run one after the other in the same place: some forty instructions for each block
// of a kernel that never waits, inlined, since every call takes a processor as long as a dozen of them.
#pragma once

#include "engine/worker.hpp"

namespace warpfiber::engine {

/// Every thread of `block` has returned.
inline void Worker::note_finished(const ResidentBlock& block) {
  ++detail::current_thread.progress;
  if (block.shared_used > grid_->static_shared.load(std::memory_order_relaxed)) {
    grid_->static_shared.store(block.shared_used, std::memory_order_relaxed);
  }
  if (WARPFIBER_UNLIKELY(!block.returns.empty())) note_left(block);
  base::set_float_mode({});  // faster than to look whether a thread has changed it
}

/// What a block needs before its first thread starts, and all that it needs when it follows another one directly.
inline void Worker::reset_claims(ResidentBlock& block) {
  block.live = block.threads;
  block.claimed = block.exited = 0;
  block.returns.clear();
  block.noted_returns = 0;
  block.engaged = block.first_exited = false;
  block.barrier.phase = 0;
  block.shared_used = 0;
  if (WARPFIBER_UNLIKELY(block.named != nullptr)) reset_named(block);
  ++block.serial;
  if (WARPFIBER_UNLIKELY(!in_order_)) shuffle_claims(block);
  if (WARPFIBER_UNLIKELY(grid_->request.dynamic_shared > 0)) reset_dynamic(block);
}

}  // namespace warpfiber::engine
