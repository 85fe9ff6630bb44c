// SPDX-License-Identifier: Apache-2.0
// Binding threads to fibers, and counting those that have returned.
#include "engine/claims/claims.hpp"

#include <warpfiber/detail/region_meetings.hpp>

#include <algorithm>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "engine/claims/first_waits.hpp"
#include "engine/findings/findings.hpp"
#include "engine/rendezvous/releasing.hpp"
#include "engine/state/rendezvous_table.hpp"
#include "instrument/marked_instructions.hpp"
#include "machine/region_meetings.hpp"

namespace warpfiber::engine {

using detail::Fiber;
using detail::Switch;

namespace {

/// After so many blocks without a wait it pays to prepare for more of the kind.
constexpr unsigned kBlocksBeforeUnwaitedRows = 63;

/// Shorter rows are over before a vectorised loop begins, or take longer in one.
constexpr unsigned kLeastStraightLineRow = 32;

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

/// A thread that has waited has returned.
inline void count_retired(detail::CurrentThread& current, const Fiber& fiber, ResidentBlock& block) {
  --block.live;
  ++block.exited;
  if (fiber.lane == 0 && fiber.warp->index == 0) block.first_exited = true;
  fiber.warp->live &= ~(std::uint64_t{1} << fiber.lane);
  ++current.progress;
}

inline void put_unused(WorkerState& worker, Fiber* fiber) {
  fiber->next = worker.idle;
  worker.idle = fiber;
}

/// Whether no other thread waits for what the thread of `fiber` does, and others of its block are ready.
inline bool is_missed_by_none(const WorkerState& worker, const ResidentBlock& block, const Fiber& fiber) {
  return worker.in_order && !block.ready.empty() && !any_open_for(block, static_cast<const ResidentWarp&>(*fiber.warp));
}

/// The commonest end of a thread that has waited: its fiber is unused, and the next ready thread runs.
inline Switch retire_unnoticed(WorkerState& worker, detail::CurrentThread& current, ResidentBlock& block, Fiber* self) {
  count_retired(current, *self, block);
  self->warp = nullptr;
  put_unused(worker, self);
  Fiber* next = block.ready.pop();
  detail::fetch_ahead(block.ready.head);
  return Switch{self, enter_bound(worker, current, next)};
}

void report_end(const WorkerState& worker, const ResidentBlock& block, const Fiber& fiber) {
  const unsigned thread = rank_in_block(fiber, worker.grid().request.warp_size);
  report_threads_end(*worker.thread_observer, block, thread, thread + 1);
}

}  // namespace

void Claims::begin() {
  fault_of_row_.reset();
  in_block_function_ = false;
  worker_.rerun_block.reset();
}

Fiber* Claims::bind() {
  WorkerState& worker = worker_;
  Fiber* fiber = worker_.thread->claimer;
  ResidentBlock& block = worker.block();
  const unsigned thread = worker_.thread_rank();
  if (worker.in_order) {
    const unsigned first = block.claimed;
    block.claimed = thread + 1;
    if (worker.thread_observer != nullptr) [[unlikely]]
      report_threads_begin(*worker.thread_observer, block, first, thread + 1);
    if (!block.engaged) blocks_.engage(block);
    if (first != thread) retire_range(block, first, thread);
  }
  const unsigned warp = worker.warp_of(thread);
  fiber->thread_index = *worker.thread_index;
  fiber->lane = thread - warp * worker.grid().request.warp_size;
  fiber->warp = &block.warp_storage[warp];
  worker_.thread->claimer = nullptr;
  worker_.thread->waitable = worker.in_order ? fiber : nullptr;
  return fiber;
}

/// Threads `first` … `last`-1 have returned without ever having waited.
void Claims::retire_range(ResidentBlock& block, unsigned first, unsigned last) {
  if (worker_.thread_observer != nullptr) [[unlikely]]
    report_threads_end(*worker_.thread_observer, block, first, last);
  block.live -= last - first;
  block.exited += last - first;
  if (first == 0) block.first_exited = true;
  const unsigned size = worker_.grid().request.warp_size;
  for (unsigned at = first; at < last;) {
    ResidentWarp& warp = block.warp_storage[at / size];
    const unsigned base = warp.index * size;
    const unsigned end = std::min(last, base + size);
    warp.live &= ~lane_range(at - base, end - base);
    at = end;
  }
  const auto first_warp = block.warp_storage.begin() + first / size;
  releasing_.recheck(block, {first_warp, (last - 1) / size - first / size + 1}, last - first);
}

/// A thread that has waited has returned.
void Claims::retire_thread(Fiber& fiber) {
  ResidentBlock& block = block_of(fiber);
  count_retired(*worker_.thread, fiber, block);
  releasing_.recheck(block, {&static_cast<ResidentWarp&>(*fiber.warp), 1}, 1);
}

bool Claims::next_row() {
  worker_.thread->busy = true;
  if (WARPFIBER_UNLIKELY(fault_of_row_.has_value()) && !worker_.rerun_block.has_value()) {
    fail_with_row();
    return false;
  }
  WorkerState& worker = worker_;
  ResidentBlock& block = worker.block();
  if (worker.in_order) {
    if (next_row_of(*worker.thread_index, worker.grid().request.block)) {
      worker_.thread->busy = false;
      return !worker.grid().stopped();
    }
    const unsigned first = block.claimed;
    block.claimed = block.threads;
    if (worker.thread_observer != nullptr) [[unlikely]]
      report_threads_begin(*worker.thread_observer, block, first, block.threads);
    if (!block.engaged) {
      if (worker.thread_observer != nullptr) [[unlikely]]
        report_threads_end(*worker.thread_observer, block, first, block.threads);
      if (restart_with_next_block(block)) {
        worker_.thread->busy = false;
        return true;
      }
      block.live = 0;
      block.exited = block.threads;
      block.first_exited = true;
      if (block.cluster != nullptr) releasing_.recheck(block, {}, block.threads);
    } else if (first != block.threads) {
      retire_range(block, first, block.threads);
    }
    return false;
  }
  const unsigned thread = worker_.thread_rank() - 1;
  retire_range(block, thread, thread + 1);
  return false;
}

/// The commonest case by far: no thread of `block` has waited, and nothing else is resident here. The same fiber goes
/// on with the next block in the same place.
bool Claims::restart_with_next_block(ResidentBlock& block) {
  WorkerState& worker = worker_;
  Admission& admission = worker.admission;
  if (WARPFIBER_UNLIKELY(worker_.rerun_block.has_value())) return false;
  if (worker.resident.size() != 1 || block.cluster != nullptr || worker.grid().stopped()) return false;
  if (admission.note_unwaited_block() >= kBlocksBeforeUnwaitedRows && !worker_.thread->unwaited_rows) {
    worker_.thread->unwaited_rows = true;
    worker_.thread->straight_line_rows =
        worker_.thread->straight_line_body && worker_.thread->row_end >= kLeastStraightLineRow;
    if (worker.observer == nullptr && instrument::does_nothing(worker_.thread->thread_code)) admission.skip_the_rest();
  }
  std::uint64_t rank = 0;
  if (!admission.take_cluster(rank)) return false;
  blocks_.note_finished(block);
  if (worker.observer != nullptr) worker.observer->block_end(block_id(block));
  block.index =
      rank == block.rank + 1 ? successor(block.index, worker.grid().request.grid) : admission.member_index(rank, 0);
  block.rank = rank;
  blocks_.reset_claims(block);
  if (worker.observer != nullptr) {
    worker.observer->block_begin(block_id(block), block.arena);
    worker.observer->block_runs(block_id(block));
  }
  *worker.block_index = block.index;
  *worker.thread_index = uint3{0, 0, 0};
  return true;
}

void Claims::note_fault(const ProcessorFault& fault) {
  const bool hidden = worker_.index_is_hidden();
  if (hidden) worker_.thread_index->x = 0;
  record::Finding finding = explain_fault(worker_, fault);
  if (worker_.left_out.count >= kMostLeftOut) finding.left_out = kMostLeftOut;
  fault_of_row_.reset();
  if (hidden) {
    finding.may_be_any_of_block = in_block_function_;
    fault_of_row_ = std::move(finding);
  } else {
    worker_.grid().fail(std::move(finding), &worker_);
  }
}

void Claims::note_left_out(const ProcessorFault& fault) {
  Grid& grid = worker_.grid();
  {
    const base::Lock lock(grid.mutex);
    const auto known = std::ranges::find(grid.left_out_faults, fault.instruction, &LeftOutFault::instruction);
    if (known != grid.left_out_faults.end()) {
      ++known->finding.repeats;
      return;
    }
  }
  grid.note_left_out({fault.instruction, &worker_, explain_fault(worker_, fault)});
}

/// So that the one that faulted does it where its index is known. It makes no difference what the row does twice: what
/// a launch that fails has written is not read.
void Claims::rerun_row() {
  ResidentBlock& block = worker_.block();
  if (in_block_function_) begin_rerun(block);
  worker_.thread->straight_line_rows = worker_.thread->unwaited_rows = false;
  block.claimed = worker_.thread_rank();
  Fiber* self = worker_.running();
  leave_for_ever(self, choosing_.enter_claim(block));
}

bool Claims::run_blocks() {
  const GridRequest& request = worker_.grid().request;
  ResidentBlock* block = &worker_.block();
  // Threads of the block may have begun on fibers, which some other one has left it to.
  if (!worker_.by_functions || block->claimed != 0) return true;
  worker_.thread->ask_from = ~std::uint64_t{0};  // no looks yet
  do {
    // The index of whoever runs is hidden.
    worker_.thread->straight_line_rows = in_block_function_ = true;
    worker_.thread->busy = false;
    const unsigned not_done = request.run_block(request.closure);
    worker_.thread->busy = true;
    worker_.thread->straight_line_rows = in_block_function_ = false;
    if (not_done == detail::kBlockNotBegun) {
      leave_to_fibers();
      return true;
    }
    if (not_done != detail::kBlockDone || std::exchange(machine::RegionDevice::of_thread().has_misuse, false)) {
      fault_of_row_ = block_not_repeated(worker_);
      begin_rerun(*block);
      return true;
    }
    *worker_.thread_index = uint3{request.block.x, request.block.y - 1, request.block.z - 1};
  } while (next_row());
  return false;
}

/// Fibers run what is left of the launch on this worker, and the block from its beginning.
void Claims::leave_to_fibers() {
  in_block_function_ = worker_.thread->unwaited_rows = false;
  worker_.thread->ask_from = 0;
  worker_.by_functions = false;
  worker_.life = worker_.grid().request.run_threads;
  *worker_.thread_index = uint3{0, 0, 0};
}

/// The same for a block part of which has been run.
void Claims::begin_rerun(ResidentBlock& block) {
  leave_to_fibers();
  worker_.rerun_block = block.rank;
}

void Claims::rerun_block() {
  fault_of_row_ = block_not_repeated(worker_);
  rerun_row();
}

/// The row that has faulted has run once more and nothing has happened: it had changed what it was about to read.
void Claims::fail_with_row() {
  fault_of_row_->may_be_any_of_row = !worker_.rerun_block.has_value();
  worker_.grid().fail(std::move(*fault_of_row_), &worker_);
  fault_of_row_.reset();
}

Switch Claims::finish(detail::CurrentThread& current) {
  current.busy = true;
  WorkerState& worker = worker_;
  Fiber* self = current.waitable != nullptr ? current.waitable : current.fiber;
  auto& block = static_cast<ResidentBlock&>(*current.block);
  const bool plain = current.convoy == nullptr && self->warp != nullptr && worker.thread_observer == nullptr &&
                     !worker.grid().stopped() && block.open_arrivals == 0;
  if (plain && is_missed_by_none(worker, block, *self)) return retire_unnoticed(worker, current, block, self);
  return finish_slowly();
}

/// A function of its own, so that the commonest end saves no registers.
Switch Claims::finish_slowly() {
  if (worker_.thread->convoy != nullptr) lanes_.end_convoy();
  WorkerState& worker = worker_;
  Fiber* self = worker.running();
  if (worker.grid().stopped()) return Switch{self, choosing_.enter_host()};
  ResidentBlock& current = worker.block();
  if (self->warp != nullptr) {
    if (current.open_arrivals != 0) {
      *worker_.thread_index = self->thread_index;  // the loop that ran the thread has gone on to the next
      check_open_arrivals(worker, choosing_, current);
    }
    if (worker.thread_observer != nullptr) report_end(worker, current, *self);
    if (is_missed_by_none(worker, current, *self)) return retire_unnoticed(worker, *worker.thread, current, self);
    worker.policy.finished(worker.id_of(*self));
    retire_thread(*self);
    self->warp = nullptr;
  }
  put_unused(worker, self);
  if (current.live == 0) {
    if (WARPFIBER_UNLIKELY(is_rerun(worker_, current))) {
      fail_with_row();
      return Switch{self, choosing_.enter_host()};
    }
    blocks_.finish(current);
  }
  return choosing_.suspend(self);
}

}  // namespace warpfiber::engine
