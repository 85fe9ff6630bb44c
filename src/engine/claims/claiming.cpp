// SPDX-License-Identifier: Apache-2.0
// Starting and ending threads. A fiber claims threads of a block one after another and runs each to its end; a thread
// that waits keeps the fiber it is on ("bound"), and another fiber goes on claiming.
// Threads that return without ever having waited are counted late, all at once: when a thread of their block binds, or
// when the block's last thread has been claimed. Until then nobody else of the block runs, so nobody sees the delay.
#include <algorithm>

#include "base/contract.hpp"
#include "base/ids.hpp"
#include "base/index.hpp"
#include "engine/claims/first_waits.hpp"
#include "engine/claims/next_block.hpp"
#include "engine/findings/findings.hpp"
#include "engine/worker.hpp"
#include "instrument/marked_instructions.hpp"

namespace warpfiber::engine {

using detail::current_thread;
using detail::Fiber;
using detail::Switch;

namespace {

/// After so many blocks without a wait it pays to prepare for more of the kind.
constexpr unsigned kBlocksBeforeSteadyRows = 63;

/// Moves `at`, whatever its x, to the start of the next row; false after the last.
bool next_row_of(uint3& at, const dim3& extent) {
  at.x = 0;
  if (++at.y < extent.y) return true;
  at.y = 0;
  return ++at.z < extent.z;
}

/// Bits first … last-1 of a warp's lanes.
std::uint64_t lane_range(unsigned first, unsigned last) {
  const std::uint64_t below_last = last >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << last) - 1;
  return below_last & ~((std::uint64_t{1} << first) - 1);
}

}  // namespace

/// Points the built-in variables at the next unclaimed thread, for the fiber that is about to run it.
void Worker::begin_claim(ResidentBlock& block) {
  if (in_order_) {
    // One-dimensional blocks are by far the commonest, and a division is dear here.
    const base::Triple at = flat_ ? base::Triple{block.claimed, 0, 0} : base::unlinear(block.claimed, blockDim);
    threadIdx = uint3{at.x, at.y, at.z};
    current_thread.row_end = blockDim.x;
    return;
  }
  const base::Triple at = base::unlinear(block.order[block.claimed], blockDim);
  threadIdx = uint3{at.x, at.y, at.z};
  current_thread.row_end = at.x + 1;
  if (thread_observer_ != nullptr) [[unlikely]]
    report_threads_begin(block, block.order[block.claimed], block.order[block.claimed] + 1);
  ++block.claimed;
  offer_claim(block);
}

void Worker::report_threads_begin(const ResidentBlock& block, unsigned first, unsigned last) {
  thread_observer_->threads_begin({block_id(block), first, last});
}

void Worker::report_threads_end(const ResidentBlock& block, unsigned first, unsigned last) {
  thread_observer_->threads_end({block_id(block), first, last});
}

/// The first wait of the running thread: it keeps this fiber.
Fiber* Worker::bind() {
  Fiber* fiber = current_thread.claimer;
  ResidentBlock& block = this->block();
  const unsigned thread = detail::thread_rank();
  if (in_order_) {
    const unsigned first = block.claimed;
    block.claimed = thread + 1;
    if (thread_observer_ != nullptr) [[unlikely]]
      report_threads_begin(block, first, thread + 1);
    if (!block.engaged) engage(block);
    if (first != thread) retire_range(block, first, thread);
  }
  const unsigned warp = warp_of(thread);
  fiber->thread_index = threadIdx;
  fiber->lane = thread - warp * grid_->request.warp_size;
  fiber->warp = &block.warp_storage[warp];
  current_thread.claimer = nullptr;
  current_thread.waitable = in_order_ ? fiber : nullptr;
  return fiber;
}

/// A thread that has waited has returned.
void Worker::report_bound_end(const Fiber& fiber, const ResidentBlock& block) {
  const unsigned thread = rank_in_block(fiber, grid_->request.warp_size);
  report_threads_end(block, thread, thread + 1);
}

/// Sets up the warps of a block in which somebody waits.
void Worker::engage(ResidentBlock& block) {
  admission_.note_wait();
  current_thread.quick_rows = current_thread.steady_rows = false;
  const unsigned size = grid_->request.warp_size;
  const unsigned count = (block.threads + size - 1) / size;
  if (block.warp_storage.size() < count) block.warp_storage = std::vector<ResidentWarp>(count);
  for (unsigned i = 0; i < count; ++i) {
    ResidentWarp& warp = block.warp_storage[i];
    warp.reset();
    warp.live = lane_range(0, std::min(size, block.threads - i * size));
    warp.block = &block;
    warp.index = i;
  }
  block.engaged = true;
}

/// Threads `first` … `last`-1 have returned without ever having waited.
void Worker::retire_range(ResidentBlock& block, unsigned first, unsigned last) {
  if (thread_observer_ != nullptr) [[unlikely]]
    report_threads_end(block, first, last);
  block.live -= last - first;
  block.exited += last - first;
  if (first == 0) block.first_exited = true;
  if (block.cluster != nullptr) block.cluster->barrier.leave(last - first);
  const unsigned size = grid_->request.warp_size;
  for (unsigned at = first; at < last;) {
    ResidentWarp& warp = block.warp_storage[at / size];
    const unsigned base = warp.index * size;
    const unsigned end = std::min(last, base + size);
    warp.live &= ~lane_range(at - base, end - base);
    recheck(block, warp);
    at = end;
  }
  recheck(block);
}

/// A bound thread has returned.
void Worker::retire_thread(Fiber& fiber) {
  ResidentBlock& block = block_of(fiber);
  count_retired(fiber, block);
  if (block.cluster != nullptr) block.cluster->barrier.leave();
  recheck(block, static_cast<ResidentWarp&>(*fiber.warp));
  recheck(block);
}

/// A lane of `warp` has returned: what the others wait for may now be complete.
void Worker::recheck(ResidentBlock& block, ResidentWarp& warp) {
  warp.each_open([&](detail::Gather& gather) {
    if (is_complete(warp, gather)) complete(block, warp, gather);
  });
}

/// A thread of `block` has returned: the barriers it would have come to may now be complete.
void Worker::recheck(ResidentBlock& block) {
  ++current_thread.progress;
  if (is_complete(block, block.barrier)) release_barrier(block);
  if (block.grid_barrier.arrived != 0 || block.cluster != nullptr || block.alone.is_open()) recheck_wide(block);
  if (block.open_groups != 0) groups_.recheck(block);
}

/// Called by the claiming loop when it has run the threads of a row. True: the built-in variables name the next thread
/// to run. False: this fiber has no thread to go on with.
bool Worker::next_row() {
  current_thread.busy = true;
  if (WARPFIBER_UNLIKELY(quick_rows_.stopped() && !end_quick_rows())) return false;
  ResidentBlock& block = this->block();
  if (in_order_) {
    if (next_row_of(threadIdx, blockDim)) {
      current_thread.busy = false;
      return !grid_->stopped();
    }
    const unsigned first = block.claimed;
    block.claimed = block.threads;
    if (thread_observer_ != nullptr) [[unlikely]]
      report_threads_begin(block, first, block.threads);
    if (!block.engaged) {
      if (thread_observer_ != nullptr) [[unlikely]]
        report_threads_end(block, first, block.threads);
      if (restart_with_next_block(block)) {
        current_thread.busy = false;
        return true;
      }
      block.live = 0;
      block.exited = block.threads;
      block.first_exited = true;
      if (block.cluster != nullptr) {
        block.cluster->barrier.leave(block.threads);
        recheck_wide(block);
      }
    } else if (first != block.threads) {
      retire_range(block, first, block.threads);
    }
    return false;
  }
  const unsigned thread = detail::thread_rank() - 1;
  retire_range(block, thread, thread + 1);
  return false;
}

/// The commonest case by far: no thread of `block` has waited, and nothing else is resident here. The same fiber goes
/// on with the next block in the same place.
bool Worker::restart_with_next_block(ResidentBlock& block) {
  if (resident_.size() != 1 || block.cluster != nullptr || grid_->stopped()) return false;
  if (admission_.note_unwaited_block() >= kBlocksBeforeSteadyRows && !current_thread.steady_rows) {
    current_thread.steady_rows = true;
    if (observer_ == nullptr && instrument::does_nothing(current_thread.thread_code)) admission_.skip_the_rest();
    quick_rows_.start();
  }
  std::uint64_t rank = 0;
  if (!admission_.take_cluster(rank)) return false;
  note_finished(block);
  if (observer_ != nullptr) observer_->block_end(block_id(block));
  block.index = rank == block.rank + 1 ? successor(block.index, gridDim) : admission_.member_index(rank, 0);
  block.rank = rank;
  reset_claims(block);
  if (observer_ != nullptr) {
    observer_->block_begin(block_id(block), block.arena);
    observer_->block_runs(block_id(block));
  }
  blockIdx = block.index;
  threadIdx = uint3{0, 0, 0};
  return true;
}

void Worker::note_fault(const ProcessorFault& fault) {
  const bool hidden = index_is_hidden();
  if (hidden) threadIdx.x = 0;
  record::Finding finding = explain_fault(*this, fault);
  retraced_.reset();
  if (hidden) {
    retraced_ = std::move(finding);
  } else {
    grid_->fail(std::move(finding));
  }
}

/// Runs the threads of the interrupted row once more, so that the one that faulted does it where its index is known. It
/// makes no difference what the row does twice: nobody reads what a launch that fails has written.
void Worker::retrace_row() {
  ResidentBlock& block = this->block();
  current_thread.quick_rows = current_thread.steady_rows = false;
  quick_rows_.stop();
  block.claimed = detail::thread_rank();
  Fiber* self = running();
  detail::switch_announced(self, enter_claim(block));
  WARPFIBER_CONTRACT(false, "a fiber that was left for ever is never resumed");
  __builtin_unreachable();
}

/// Rows were quick, and are not any more; false if the last one was to run once more to see who has faulted, and
/// nothing has happened: it had changed what it was about to read.
bool Worker::end_quick_rows() {
  current_thread.quick_rows = false;
  if (!retraced_.has_value()) return true;
  retraced_->may_be_any_of_row = true;
  grid_->fail(std::move(*retraced_));
  retraced_.reset();
  return false;
}

/// The running fiber has no thread to go on with: its thread has returned after waiting, or nothing is left to claim.
/// It goes back among the unused, from where it may be taken at once.
Switch Worker::finish_claims() {
  current_thread.busy = true;
  if (current_thread.convoy != nullptr) end_convoy();
  Fiber* self = running();
  if (grid_->stopped()) return Switch{self, enter_host()};
  ResidentBlock& current = block();
  if (current.open_arrivals != 0 && self->warp != nullptr) check_open_arrivals(current, *self);
  if (self->warp != nullptr && is_missed_by_none(current, static_cast<ResidentWarp&>(*self->warp))) {
    count_retired(*self, current);
    self->warp = nullptr;
    self->next = idle_;
    idle_ = self;
    Fiber* next = current.ready.pop();
    detail::fetch_ahead(current.ready.head);
    return Switch{self, enter_bound(next)};
  }
  if (self->warp != nullptr) {
    policy_.finished(id_of(*self));
    retire_thread(*self);
    self->warp = nullptr;
  }
  self->next = idle_;
  idle_ = self;
  if (current.live == 0) finish_block(current);
  return suspend(self);
}

}  // namespace warpfiber::engine

namespace warpfiber::detail {

// Next to what it calls, so that it is one function.
Switch finish_claims() {
  return engine::Worker::current()->finish_claims();
}

}  // namespace warpfiber::detail
