// SPDX-License-Identifier: Apache-2.0
// The worker's loop on its OS thread's own stack: which block runs, when another is admitted, when nothing is left.
#include "engine/worker.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <utility>

#include "base/float_mode.hpp"
#include "base/ids.hpp"
#include "base/index.hpp"
#include "base/plain_locale.hpp"
#include "engine/claims/next_block.hpp"
#include "engine/findings/findings.hpp"
#include "fiber/tools.hpp"
#include "instrument/marked_instructions.hpp"

namespace warpfiber::engine {

using detail::current_thread;
using detail::Fiber;

namespace {

constexpr std::size_t kFibersKept = 1024;
// For each thread that comes in, spinning threads have so many goes before blocks that come in after it.
constexpr std::uint64_t kSpinsForAThread = 8;

}  // namespace

/// A signal may come between any two instructions, and believes the rest of current_thread where it finds a worker.
void Worker::be_found_by_signals() {
  std::atomic_signal_fence(std::memory_order_release);
  current_thread.worker = this;
}
void Worker::be_lost_to_signals() {
  current_thread.worker = nullptr;
  std::atomic_signal_fence(std::memory_order_release);
}

void Worker::begin(Grid& grid, unsigned index) {
  grid_ = &grid;
  index_ = index;
  const GridRequest& request = grid.request;
  stacks_.set_stack_size(request.stack_bytes + stack_for_ticks());
  // What the last launch needed is kept for this one, and given back if this one does not need it either.
  stacks_.recycle_all(std::max(kFibersKept, stacks_.made()));
  idle_ = nullptr;
  const bool round = std::has_single_bit(request.warp_size);
  warp_shift_ = round ? static_cast<unsigned>(std::countr_zero(request.warp_size)) : 0;
  policy_.begin(request, grid.threads, index);
  in_order_ = policy_.in_order();
  random_ = base::Random(base::mix(request.policy.seed, index));
  admission_.begin(grid);
  retraced_.reset();
  left_.clear();
  quick_rows_.begin(reinterpret_cast<const void*>(request.run_threads), !request.checked());
  circles_.begin(grid);
  polls_ = PollTurns(in_order_);
  spin_polls_ = 0;
  spin_budget_ = yielded_ = 0;
  is_idle_ = host_decides_ = turn_ended_ = false;
  releases_ = turns_ = 0;
  barriers_ = 0;
  // Not at the end of the last launch: its other workers may report what this one has written.
  if (std::exchange(has_written_, false)) std::ranges::fill(written_, detail::WrittenWord{});
  current_thread = detail::CurrentThread{};
  __atomic_store_n(&progress_, &current_thread.progress, __ATOMIC_RELEASE);
  current_thread.busy = true;
  current_thread.closure = request.closure;
  current_thread.device = request.device;
  current_thread.fiber = &host_;
  current_thread.written = written_.data();
  current_thread.polls_left = detail::kPollsBeforeYield;
  busy_turns_ = {};
  current_thread.ask_from = in_order_ ? busy_turns_.length() : 0;
  be_found_by_signals();
  blockDim = request.block;
  flat_ = request.block.y == 1 && request.block.z == 1;
  gridDim = request.grid;
  warpSize = static_cast<int>(request.warp_size);
  host_.more = &host_details_;
  fiber::note_own_stack(host_);
  // First, so that no handler of the program is taken for a kernel.
  sampler_.start(grid);
  begin_observing();
}

void Worker::end() {
  quick_rows_.end();
  if (observer_ != nullptr) end_observing();
  sampler_.stop();
  if (!grid_->stopped()) admission_.release_spare_places();
  grid_->barriers.fetch_add(barriers_);
  if (index_ == 0) grid_->is_empty = instrument::does_nothing(current_thread.thread_code);
  grid_->progress_of_ended.fetch_add(current_thread.progress + 1);
  __atomic_store_n(&progress_, static_cast<std::uint64_t*>(nullptr), __ATOMIC_RELEASE);
  be_lost_to_signals();
  has_written_ = current_thread.has_written;
  current_thread = detail::CurrentThread{};
  admission_.end(resident_);
  resident_.clear();
  runnable_.clear();
  policy_.end(*grid_);
}

void Worker::run(Grid& grid, unsigned index) {
  const base::DeviceFloats of_device;
  const base::PlainLocale for_printf;
  begin(grid, index);
  while (!grid.stopped() && step()) {
  }
  end();
}

/// One thing that can be done next; false when this worker has nothing left in this launch.
bool Worker::step() {
  if (grid_->may_be_dead.load(std::memory_order_relaxed)) end_if_dead();
  if (grid_->time_over.load(std::memory_order_relaxed)) {
    rest(*this);
    return true;
  }
  admission_.release_spare_places();
  if (std::exchange(host_decides_, false) && stop_if_all_circle(*this)) return true;
  if (std::exchange(turn_ended_, false)) let_all_run();
  if (!policy_.empty()) {
    detail::Fiber* next = choose();
    detail::switch_announced(&host_, next);
    return true;
  }
  if (!runnable_.empty()) {
    ResidentBlock* block = runnable_.front();
    runnable_.pop_front();
    enter(*block);
    return true;
  }
  if (spin_before_admission() || admit() || release_from_grid_barrier() || grid_->stopped()) return true;
  for (ResidentBlock* block : resident_) {
    if (reconvergence_.resolve(*block)) return true;
  }
  if (spin_round()) return true;
  return wait_for_event(*this);
}

/// Threads that could go on for ever have had their turn: whoever only runs when nobody else can may run now. Another
/// block comes in once every resident one has had a turn; otherwise long kernels would make all of them resident.
void Worker::let_all_run() {
  if (++turns_ >= resident_.size()) {
    turns_ = 0;
    admit();
  }
  release_from_grid_barrier();
  make_yielded_ready();
  if (in_order_) return;
  for (ResidentBlock* block : resident_) reconvergence_.resolve_overdue(*block);
}

/// A thread that changes the floating-point controls does so for its block: for every other one, whichever worker runs
/// it and in whatever order, they are the device's. Saving them at each switch would make barriers half as fast.
void Worker::leave_block() {
  auto* block = static_cast<ResidentBlock*>(current_thread.block);
  if (block != nullptr && block->live != 0) block->float_mode = base::float_mode();
}

void Worker::activate(ResidentBlock& block) {
  if (current_thread.block != &block) {
    leave_block();
    base::set_float_mode(block.float_mode);
  }
  current_thread.block = &block;
  current_thread.dynamic_shared = block.arena.dynamic();
  current_thread.shared = block.arena.base();
  current_thread.shared_bytes = block.arena.bytes();
  blockIdx = block.index;
  if (observer_ != nullptr) observer_->block_runs(block_id(block));
}

/// Runs threads of `block` until none of them can go on but those that ask who is with them.
void Worker::enter(ResidentBlock& block) {
  block.queued = false;
  activate(block);
  Fiber* next = choose();
  if (next != &host_) detail::switch_announced(&host_, next);
  if (!block.ready.empty() && grid_->may_be_dead.load(std::memory_order_relaxed)) queue(block);
  if (block.queued || grid_->time_over.load(std::memory_order_relaxed)) return;  // its turn has ended, that is all
  if (!reconvergence_.resolve(block) && !block.mismatched_arrivals.empty() && block.yielded.empty() &&
      !grid_->stopped()) {
    grid_->fail(barrier_divergence(*this, block));
  }
}

void Worker::queue(ResidentBlock& block) {
  if (block.queued || &block == current_thread.block) return;
  block.queued = true;
  runnable_.push_back(&block);
}

bool Worker::out_of_memory(const char* what) {
  grid_->fail(memory_exhausted(*grid_, what));
  return false;
}

/// Makes the next cluster resident, if there is one and the device has a place for it.
bool Worker::admit() {
  std::uint64_t rank = 0;
  if (grid_->stopped() || !admission_.has_unstarted() || !admission_.take_place()) return false;
  if (!admission_.take_cluster(rank)) {
    admission_.give_place();
    return false;
  }
  spin_budget_ += kSpinsForAThread * grid_->cluster_blocks * grid_->threads;
  Cluster* cluster = grid_->cluster_blocks > 1 ? admission_.free_cluster() : nullptr;
  for (unsigned member = 0; member < grid_->cluster_blocks; ++member) {
    ResidentBlock* block = admission_.free_slot();
    if (block == nullptr) return out_of_memory("shared memory");
    resident_.push_back(block);
    start_block(*block, admission_.member_index(rank, member), cluster);
  }
  return true;
}

void Worker::append_written(std::vector<detail::WrittenWord>& words) const {
  for (const detail::WrittenWord& word : written_) {
    if (word.address != nullptr) words.push_back(word);
  }
}

void Worker::append_left(std::map<std::uint64_t, Site>& left) const {
  left.insert(left_.begin(), left_.end());
}

void Worker::start_block(ResidentBlock& block, uint3 index, Cluster* cluster) {
  block.index = index;
  block.rank = base::linear_index(index, grid_->request.grid);
  block.cluster = cluster;
  block.threads = grid_->threads;
  block.shared = block.arena.base();
  block.shared_touched = block.arena.touched();
  block.at_grid_barrier = block.multi_grid = false;
  block.notice.turn = 0;
  block.grid_barrier.arrived = block.cluster_barrier.arrived = 0;
  block.grid_barrier.site = Site{};
  block.ready.clear();
  block.yielded.clear();
  block.mismatched_arrivals.clear();
  block.grid_barrier.waiting.clear();
  block.cluster_barrier.waiting.clear();
  block.barrier.waiting.clear();
  block.barrier.arrived = block.barrier.count = 0;
  reset_groups(block);
  if (cluster != nullptr) cluster->blocks.push_back(&block);
  block.queued = false;
  block.float_mode = base::FloatMode{};
  reset_claims(block);
  if (observer_ != nullptr) observer_->block_begin(block_id(block), block.arena);
  ++current_thread.progress;
  if (in_order_) {
    queue(block);
  } else {
    engage(block);
    offer_claim(block);
  }
}

/// A block of a launch that was ended may have left rendezvous open.
void Worker::reset_groups(ResidentBlock& block) {
  block.split_waits.waiting.clear();
  block.alone.start(block.threads);
  if (std::exchange(block.open_arrivals, 0) != 0) block.arrivals.clear();
  if (std::exchange(block.open_groups, 0) == 0) return;
  for (unsigned i = 0; block.groups != nullptr && i < kGroupGathers; ++i) {
    block.groups[i].rendezvous.arrived = 0;
    block.groups[i].waiting.clear();
  }
  if (block.sets != nullptr) block.sets->close_all();
}

void Worker::reset_dynamic(ResidentBlock& block) {
  memory::poison(block.arena.dynamic(), grid_->request.dynamic_shared);
  if (observer_ != nullptr) observer_->undefine(block.arena.dynamic(), grid_->request.dynamic_shared);
}

/// Under a policy that explores, threads start in any order.
void Worker::shuffle_claims(ResidentBlock& block) {
  block.order.resize(block.threads);
  std::iota(block.order.begin(), block.order.end(), 0U);
  const schedule::PolicyKind kind = grid_->request.policy.kind;
  if (kind == schedule::PolicyKind::in_order || kind == schedule::PolicyKind::lock_step) return;
  for (unsigned i = block.threads; i > 1; --i) std::swap(block.order[i - 1], block.order[random_.below(i)]);
}

/// Threads of `block`, which is finished, have said where they returned. Only in a cooperative launch can another block
/// wait for it for ever.
void Worker::note_left(const ResidentBlock& block) {
  if (grid_->request.cooperative) left_.emplace(block.rank, place_of_all_returns(block));
}

/// Every thread of `block` has returned. A cluster's blocks keep their shared memory until the last of them is done.
void Worker::finish_block(ResidentBlock& block) {
  note_finished(block);
  if (observer_ != nullptr) observer_->block_end(block_id(block));
  Cluster* cluster = block.cluster;
  if (cluster == nullptr) {
    std::erase(resident_, &block);
    admission_.release(block);
    admission_.give_place();
    return;
  }
  if (--cluster->blocks_left > 0) return;
  for (ResidentBlock* member : cluster->blocks) {
    std::erase(resident_, member);
    admission_.release(*member);
  }
  admission_.release(*cluster);
  admission_.give_place();
}

}  // namespace warpfiber::engine
