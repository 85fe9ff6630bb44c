// SPDX-License-Identifier: Apache-2.0
// What a tick decides. How ticks come about is in signals_linux.cpp.
#include "engine/preempt.hpp"

#include <time.h>
#include <warpfiber/intrinsics/carry.hpp>

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/ids.hpp"
#include "base/system/modules.hpp"
#include "engine/findings/findings.hpp"
#include "engine/liveness/liveness.hpp"
#include "engine/liveness/passed_time.hpp"
#include "engine/state/engine_state.hpp"
#include "engine/worker.hpp"
#include "instrument/marked_instructions.hpp"

namespace warpfiber::engine {

using detail::current_thread;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
// Less CPU time than this between two ticks says nothing: the OS may have run somebody else.
constexpr std::int64_t kLeastRun = 50'000;
// States seen before, in a row, until a loop counts as spinning.
constexpr unsigned kProof = 3;
// What a thread runs under a debugger before it counts as spinning: it may be stopped at one instruction many times.
constexpr std::int64_t kDebuggedSpin = 100'000'000;
// A look at a thread reads all of its stack, because whatever was left out might be what it changes. With much stack in
// use that takes longer than a tick's period, so a thread runs at least this much longer than the look at it took.
constexpr std::int64_t kRest = 4;

std::int64_t cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

/// A signal handler goes through them, so none is ever taken out: where a library was unloaded nothing runs.
struct Code {
  const char* begin;
  const char* end;
  const Code* next;
};
constinit std::atomic<const Code*> code_without_waits{nullptr};

}  // namespace

void never_wait_in(const char* begin, const char* end) {
  auto* code = new Code{begin, end, code_without_waits.load()};
  while (!code_without_waits.compare_exchange_weak(code->next, code)) {
  }
}

bool never_waits_in(const void* instruction) {
  if (instrument::counts_access(instruction)) return true;
  for (const Code* code = code_without_waits.load(); code != nullptr; code = code->next) {
    if (instruction >= code->begin && instruction < code->end) return true;
  }
  return false;
}

void Sampler::start(const Grid& grid) {
  ++launch_;
  seen_cpu_ = kNever;  // the launch before may have been on another OS thread
  rest_until_ = stuck_cpu_ = next_look_ = 0;
  took_turns_ = false;
  seen_yields_ = 0;
  watchdog_ = grid.request.watchdog_seconds * kSecond;
  const void* code = reinterpret_cast<const void*>(grid.request.run_threads);
  if (code != module_of_) {
    const base::ModulePart part = base::module_part_at(code).value_or(base::ModulePart{});
    module_of_ = code;
    code_begin_ = reinterpret_cast<const char*>(part.begin);
    code_end_ = reinterpret_cast<const char*>(part.end);
  }
  // Not kept from launch to launch, or what ran before would show in when threads take turns.
  spin_low_ = spin_high_ = nullptr;
  prepare_os_thread();
}

void Sampler::stop() {
  seen_thread_ = ~std::uint64_t{0};
  release_os_thread();
}

/// The thread of the last tick is still running, and has done nothing since that anybody could notice.
bool Sampler::same_thread_as_before(Worker& worker, std::int64_t ran) {
  const unsigned rank = worker.claims().in_block_function() ? 0 : detail::thread_rank();  // it runs all of them
  const std::uint64_t thread = base::fiber_id(current_thread.block->rank, rank, worker.grid().threads);
  const bool still_there = thread == seen_thread_ && launch_ == seen_launch_;
  const bool same = still_there && current_thread.progress == seen_progress_;
  const std::uint64_t yields = worker.spinning().busy_turns().yields();
  yielded_ = std::exchange(seen_yields_, yields) != yields;
  busy_cpu_ = still_there && !same && !yielded_ ? busy_cpu_ + ran : 0;
  seen_thread_ = thread;
  seen_launch_ = launch_;
  seen_progress_ = current_thread.progress;
  return same;
}

bool Sampler::known_spin(const void* instruction) const {
  return spin_low_ != nullptr && instruction >= spin_low_ && instruction <= spin_high_;
}

void Sampler::learn_spin(const void* instruction) {
  constexpr std::ptrdiff_t kLoop = 256;
  const char* at = static_cast<const char*>(instruction);
  if (spin_low_ == nullptr || at < static_cast<const char*>(spin_low_) - kLoop ||
      at > static_cast<const char*>(spin_high_) + kLoop) {
    spin_low_ = spin_high_ = instruction;
    return;
  }
  spin_low_ = std::min(spin_low_, instruction);
  spin_high_ = std::max(spin_high_, instruction);
}

void Sampler::tick(Worker& worker, const TickSample& sample) {
  if (worker.grid().stopped()) {
    worker.begin_failure();
    allow_ticks();
    worker.choosing().abandon_fiber();
  }
  if (worker.grid().time_over.load(std::memory_order_relaxed)) return end_time(worker, sample);
  if (watchdog_ != 0) look_for_life(worker, sample);
  if (worker.grid().time_over.load(std::memory_order_relaxed)) return end_time(worker, sample);
  const std::int64_t now = cpu_time();
  if (seen_cpu_ == kNever) seen_cpu_ = now;  // what ran before is not the launch's
  const std::int64_t ran = now - seen_cpu_;
  if (ran < kLeastRun || now < rest_until_) return;
  seen_cpu_ = now;
  const bool hidden = worker.index_is_hidden();
  const std::uint64_t progress = current_thread.progress;
  const bool same = same_thread_as_before(worker, ran);
  const bool event = progress != last_progress_ || (!same && !took_turns_);
  last_progress_ = progress;
  took_turns_ = false;
  stuck_cpu_ = event ? 0 : stuck_cpu_ + ran;
  if (!same) {
    history_.forget();
    spent_cpu_ = 0;
    if (hidden || sample.stays || busy_cpu_ < kSecond) return;
    worker.grid().ended_by_time.fetch_add(1);
    give_turn(worker, sample, 0);
    return;
  }
  spent_cpu_ += ran;
  const std::uint64_t state = look_at(worker, sample, now);
  const unsigned repeats = history_.observe(state);
  // Code between two loops that spin may compute, and other threads' loops may end by themselves. Where each run is to
  // be like the last one, the thread has to be seen in a circle, too.
  const unsigned proof = !known_spin(sample.instruction) ? kProof : worker.grid().request.repeatable ? 1 : 0;
  const bool spins = repeats >= proof && (spent_cpu_ >= kDebuggedSpin || !EngineState::of_process().is_debugged);
  if (watchdog_ != 0 && stuck_cpu_ > watchdog_ && (hidden || !spins)) {
    if (worker.claims().in_block_function()) leave_to_fibers(worker);
    worker.begin_failure();
    record::Finding finding = runs_for_ever(worker, sample.instruction);
    allow_ticks();
    worker.fail_here(std::move(finding));
  }
  // A thread that lets others run by itself is not to be made to.
  if (hidden || yielded_ || (!spins && spent_cpu_ < kSecond)) return;
  if (spins) {
    learn_spin(sample.instruction);
    tick_faster();
  }
  if (sample.stays) return;
  took_turns_ = true;
  if (!spins) worker.grid().ended_by_time.fetch_add(1);
  give_turn(worker, sample, state);
}

/// Fibers run the block once more, and say what keeps its threads from getting on. What the function has taken is not
/// their time.
void Sampler::leave_to_fibers(Worker& worker) {
  history_.forget();
  spent_cpu_ = stuck_cpu_ = busy_cpu_ = 0;
  seen_cpu_ = kNever;
  seen_thread_ = ~std::uint64_t{0};
  worker.begin_failure();
  allow_ticks();
  worker.claims().rerun_block();  // destroys nothing
}

/// The launch's own watchdog, whose time passes for all of its threads.
void Sampler::look_for_life(Worker& worker, const TickSample& sample) {
  constexpr std::int64_t kLooksCost = 4;  // a look is rare enough to take less than a fifth of the time
  const std::int64_t begin = wall_time();
  if (begin < next_look_) return;
  const bool is_first = next_look_ == 0;
  Liveness* liveness = is_first ? nullptr : &liveness_of(worker.grid());
  const std::int64_t period = watchdog_ / Liveness::kLooks;
  next_look_ = begin + period;
  if (is_first) return;
  const bool dead = liveness->look(worker, worker.index, sample, begin);
  const std::int64_t end = wall_time();
  next_look_ = end + std::max(period, kLooksCost * (end - begin));
  if (worker.claims().in_block_function()) {
    if (liveness->is_over()) leave_to_fibers(worker);
    return;
  }
  if (!dead || sample.stays) return;
  current_thread.busy = true;
  const bool carry = detail::carry_flag;
  allow_ticks();
  worker.spinning().ask_whether_dead(SpinNote{Site{}, nullptr, sample.instruction, nullptr, sample.stack});
  detail::carry_flag = carry;
  forbid_ticks();
  seen_thread_ = ~std::uint64_t{0};
}

/// The thread comes to rest, so that the report can say where it is. In a row of threads only one of them is known.
void Sampler::end_time(Worker& worker, const TickSample& sample) {
  if (worker.index_is_hidden()) {
    worker.begin_failure();
    record::Finding finding = ran_at_end_of_time(worker, sample.instruction);
    allow_ticks();
    worker.fail_here(std::move(finding));
  }
  tick_faster();
  if (sample.stays) return;
  current_thread.busy = true;
  allow_ticks();
  worker.spinning().stay(SpinNote{Site{}, nullptr, sample.instruction, nullptr, sample.stack});
}

/// What the look takes is no time that the thread has run: states would come again that were never left.
std::uint64_t Sampler::look_at(const Worker& worker, const TickSample& sample, std::int64_t now) {
  const std::uint64_t state = state_of(sample, worker.running()->more->stack_high);
  seen_cpu_ = cpu_time();
  rest_until_ = seen_cpu_ + kRest * (seen_cpu_ - now);
  return state;
}

/// Other threads run; this one goes on when its turn comes again. A state of 0 says nothing about whether it spins.
void Sampler::give_turn(Worker& worker, const TickSample& sample, std::uint64_t state) {
  current_thread.busy = true;
  const bool carry = detail::carry_flag;
  allow_ticks();
  SpinNote note{Site{}, nullptr, sample.instruction, nullptr, sample.stack};
  note.state = state != 0 ? state : state_of(sample, worker.running()->more->stack_high);
  worker.spinning().let_others_run(note, state);
  detail::carry_flag = carry;
  forbid_ticks();
  history_.forget();
  seen_thread_ = ~std::uint64_t{0};
}

}  // namespace warpfiber::engine
