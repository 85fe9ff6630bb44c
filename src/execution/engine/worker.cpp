// SPDX-License-Identifier: Apache-2.0
// The worker's loop on its OS thread's own stack: which block runs, when another is admitted, when nothing is left.
#include "engine/worker.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <boost/core/demangle.hpp>
#include <exception>
#include <string>
#include <typeinfo>
#include <utility>

#include "base/thread_modes.hpp"
#include "engine/block_functions.hpp"
#include "engine/debugging/layout.hpp"
#include "engine/findings/findings.hpp"
#include "engine/liveness/voting.hpp"
#include "engine/sharing/device_share.hpp"
#include "engine/state/engine_state.hpp"
#include "fiber/tools.hpp"
#include "instrument/marked_instructions.hpp"
#include "machine/region_meetings.hpp"
#include "record/mistake.hpp"

namespace warpfiber::engine {

using detail::current_thread;
using detail::Fiber;

namespace {

constexpr std::size_t kFibersKept = 1024;

// A static library gives a program only what something refers to.
[[gnu::used]] const LayoutEntry* const for_debuggers = warpfiber_debugger_layout;

/// Room that no block of this launch will need any more goes to other launches.
void give_back_spare_places(WorkerState& worker) {
  const std::uint64_t spare = worker.admission.take_spare_places();
  if (spare != 0) worker.grid().request.device_share->give_back(spare);
}

}  // namespace

/// A signal may come between any two instructions, and believes the rest of current_thread where it finds a worker.
void Worker::be_found_by_signals() {
  std::atomic_signal_fence(std::memory_order_release);
  current_thread.worker = static_cast<WorkerState*>(this);
}
void Worker::be_lost_to_signals() {
  current_thread.worker = nullptr;
  std::atomic_signal_fence(std::memory_order_release);
}

void Worker::begin(Grid& grid, unsigned number) {
  launch = &grid;
  thread = &current_thread;
  thread_index = &threadIdx;
  block_index = &blockIdx;
  index = number;
  const GridRequest& request = grid.request;
  by_functions = runs_by_functions(request);
  if (by_functions) machine::RegionDevice::of_thread() = {.capability = request.capability};
  left_out = {.is_allowed =
                  request.checked() && !request.check.stop_at_first && !EngineState::of_process().is_debugged};
  life = by_functions ? &live_by_block_functions : request.run_threads;
  stacks.set_stack_size(request.stack_bytes + (by_functions ? request.run_block_stack : 0) + stack_for_ticks());
  // What the last launch needed is kept for this one, and given back if this one does not need it either.
  // Under checks pointers to the locals of ended threads are to lead to stacks that nobody has.
  stacks.recycle_all(std::max(kFibersKept, stacks.made()), {.launch = grid.number, .is_late = request.checked()});
  idle = nullptr;
  const bool round = std::has_single_bit(request.warp_size);
  warp_shift = round ? static_cast<unsigned>(std::countr_zero(request.warp_size)) : 0;
  policy.begin(request, grid.threads, index);
  in_order = policy.in_order();
  random = base::Random(base::mix(request.policy.seed, index));
  admission.begin(grid);
  left.clear();
  phases.clear();
  claims_.begin();
  spinning_.begin();
  blocks_.begin();
  choosing_.begin();
  waits_.begin_launch();
  releases.begin();
  meetings.begin(request.checked() || !in_order);
  interrupted.forget();
  loop_looks = &loop_looks_;
  if (by_functions) loop_looks_.forget();
  yielded = barriers = idle_clocks = 0;
  is_idle = false;
  idler = nullptr;
  idlers = 0;
  idle_words.clear();
  meets_in_circles = false;
  said_gain = 0;
  // Not at the end of the last launch: its other workers may report what this one has written.
  if (std::exchange(has_written_, false)) std::ranges::fill(written, detail::WrittenWord{});
  begin_thread();
  // First, so that no handler of the program is taken for a kernel.
  sampler_.start(grid);
  observers_.begin(*this);
}

/// What kernels see of the OS thread.
void Worker::begin_thread() {
  const GridRequest& request = grid().request;
  current_thread = detail::CurrentThread{};
  __atomic_store_n(&progress_counter, &current_thread.progress, __ATOMIC_RELEASE);
  current_thread.busy = true;
  current_thread.closure = request.closure;
  current_thread.device = request.device;
  current_thread.fiber = &host;
  current_thread.written = written.data();
  current_thread.polls_left = detail::kPollsBeforeYield;
  current_thread.ask_from = in_order ? spinning_.busy_turns().length() : 0;
  be_found_by_signals();
  blockDim = request.block;
  flat = request.block.y == 1 && request.block.z == 1;
  gridDim = request.grid;
  warpSize = static_cast<int>(request.warp_size);
  host.more = &host_details;
  fiber::note_own_stack(host);
}

void Worker::end() {
  name_object_of_failure(*this);
  observers_.end(*this);
  sampler_.stop();
  if (!grid().stopped()) give_back_spare_places(*this);
  grid().barriers.fetch_add(barriers);
  if (index == 0) grid().is_empty = instrument::does_nothing(current_thread.thread_code);
  grid().progress_of_ended.fetch_add(current_thread.progress + 1);
  __atomic_store_n(&progress_counter, static_cast<const std::uint64_t*>(nullptr), __ATOMIC_RELEASE);
  __atomic_store_n(&said_gain, std::uint64_t{0}, __ATOMIC_RELEASE);
  be_lost_to_signals();
  has_written_ = current_thread.has_written;
  current_thread = detail::CurrentThread{};
  admission.end(resident);
  resident.clear();
  choosing_.end();
  policy.end(grid());
}

void Worker::run(Grid& grid, unsigned number) {
  const base::DeviceFloats of_device;
  const base::PlainLocale for_printf;
  begin(grid, number);
  while (!grid.stopped() && step()) {
  }
  end();
}

/// One thing that can be done next; false when this worker has nothing left in this launch.
bool Worker::step() {
  say_gain();
  if (grid().may_be_dead.load(std::memory_order_relaxed)) spinning_.end_if_dead();
  if (grid().time_over.load(std::memory_order_relaxed)) {
    rest(*this);
    return true;
  }
  give_back_spare_places(*this);
  if (choosing_.host_was_asked() && stop_if_all_circle(*this, spinning_.circles())) return true;
  if (meetings.take_question() && spinning_.look_at_meetings()) return true;
  if (releases.take_turn()) waits_.let_all_run();
  if (!policy.empty()) {
    Fiber* next = choosing_.choose();
    detail::switch_announced(&host, next);
    return true;
  }
  if (ResidentBlock* block = choosing_.take_runnable(); block != nullptr) {
    enter(*block);
    return true;
  }
  if (spinning_.spin_before_admission() || blocks_.admit() || releasing_.wake_open() || grid().stopped()) return true;
  for (ResidentBlock* block : resident) {
    if (reconvergence_.resolve(*block)) return true;
  }
  if (spinning_.spin_round()) return true;
  return wait_for_event(*this);
}

/// Runs threads of `block` until none of them can go on but those that ask who is with them.
void Worker::enter(ResidentBlock& block) {
  block.queued = false;
  choosing_.activate(block);
  Fiber* next = choosing_.choose();
  if (next != &host) detail::switch_announced(&host, next);
  if (!block.ready.empty() && grid().may_be_dead.load(std::memory_order_relaxed)) choosing_.queue(block);
  if (block.queued || grid().time_over.load(std::memory_order_relaxed)) return;  // its turn has ended, that is all
  if (!reconvergence_.resolve(block) && !block.mismatched_arrivals.empty() && block.yielded.empty() &&
      !grid().stopped()) {
    grid().fail(barrier_divergence(*this, block, record::Mistake::block_barriers_differ));
  }
}

std::vector<record::Finding> Worker::found_so_far() const {
  return observer == nullptr ? std::vector<record::Finding>() : observer->findings_so_far();
}

void Worker::keep_exception() {
  current_thread.busy = true;
  const std::string type = boost::core::demangle(abi::__cxa_current_exception_type()->name());
  try {
    throw;
  } catch (const std::exception& error) {
    grid().fail(uncaught_exception(*this, type + ": " + error.what()));
  } catch (...) {
    grid().fail(uncaught_exception(*this, type));
  }
}

}  // namespace warpfiber::engine
