// SPDX-License-Identifier: Apache-2.0
// One look at a time: whether threads began or ended, whether memory changed, and whether all threads have repeated.
#include "engine/liveness/liveness.hpp"

#include <algorithm>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "base/random.hpp"
#include "engine/liveness/loop_looks.hpp"
#include "engine/liveness/meeting_looks.hpp"
#include "engine/liveness/shared_ranges.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {
namespace {

constexpr std::size_t kMostThreads = 4096;  // whose states are looked at, of one worker

/// A number for which threads of the worker's blocks have started and returned.
std::uint64_t threads_of(const WorkerState& worker) {
  std::uint64_t sum = worker.grid().next_cluster.load(std::memory_order_relaxed);
  const unsigned lanes = worker.grid().request.warp_size;
  for (const ResidentBlock* block : worker.resident) {
    sum = base::mix(sum, block->rank);
    sum = base::mix(sum, block->claimed);
    for (unsigned i = 0; block->engaged && i * lanes < block->threads; ++i)
      sum = base::mix(sum, block->warp_storage[i].live);
  }
  return sum;
}

bool is_preempted(const SpinNote* note) {
  return note != nullptr && note->stack != nullptr;
}

/// Which phase it is a thread may well keep: that goes on for ever.
std::uint64_t state_of(const detail::Fiber& fiber) {
  const auto* note = static_cast<const SpinNote*>(fiber.more->note);
  if (note == nullptr || note->phase == nullptr || is_preempted(note)) return state_of_waiting(fiber);
  return base::mix(reinterpret_cast<std::uintptr_t>(note->address), reinterpret_cast<std::uintptr_t>(&fiber));
}

}  // namespace

Liveness::Liveness(std::int64_t watchdog, std::size_t workers)
    : watchdog_(watchdog), time_(watchdog / 4, workers), workers_(workers) {}

void WorkerLooks::start_over() {
  repeated = fresh = 0;
}

bool WorkerLooks::note(std::size_t fiber, std::uint64_t state) {
  if (fiber >= latest.size()) latest.resize(fiber + 1, 0);
  if (std::exchange(latest[fiber], state) == state && state != 0) return false;
  const bool is_new = state == 0 || states.add(state);
  ++(is_new ? fresh : repeated);
  return is_new;
}

void Liveness::look_at_threads(WorkerState& worker, WorkerLooks& looks, const TickSample& sample) {
  if (const std::uint64_t threads = threads_of(worker); threads != looks.threads) {
    looks.threads = threads;
    looks.moved = time_.now();
    looks.start_over();
  }
  const detail::Fiber* running = worker.running();
  std::size_t number = 0;
  std::size_t new_waits = 0;
  worker.stacks.each_taken([&](const detail::Fiber& fiber) {
    if (number >= kMostThreads) return;
    const bool runs = &fiber == running;
    const bool is_new = looks.note(number++, runs ? state_of(sample, fiber.more->stack_high) : state_of(fiber));
    const bool waits = !runs && !is_preempted(static_cast<const SpinNote*>(fiber.more->note));
    new_waits += is_new && waits ? 1 : 0;
  });
  // The last thread to come to a barrier waits in a way of its own, and each is that once in a while.
  constexpr std::size_t kOneOf = 32;
  if (new_waits * kOneOf > number) looks.new_wait = time_.now();
}

void Liveness::look_at_memory(WorkerState& worker) {
  if ((time_.now() - memory_seen_).wall < period() / 2) return;  // another worker has just looked
  memory_seen_ = time_.now();
  const MemoryChange change = memory_.look(shared_ranges(worker));
  if (change == MemoryChange::fresh) {
    changed_ = time_.now();
    has_warned_ = false;
    for (WorkerLooks& one : workers_) one.start_over();
  }
  const std::uint64_t printed = worker.grid().printed.load(std::memory_order_relaxed);
  if (change == MemoryChange::counting || printed != printed_) counted_ = time_.now();
  printed_ = printed;
  if (const std::uint64_t progress = worker.grid().total_progress(); progress != progress_) {
    progress_ = progress;
    progressed_ = time_.now();
  }
}

/// What a block function has found, and how long it is to look for more. A block that a count ends works.
void Liveness::look_at_loops(WorkerState& worker, WorkerLooks& looks) {
  looks.runs_loops = worker.by_functions;
  looks.circles_in_loops = looks.runs_loops && worker.loop_looks->circles();
  if (!looks.runs_loops) return;
  if (worker.loop_looks->take_counts()) looks.moved = time_.now();
  constexpr std::int64_t kShare = 64;  // of the time
  constexpr std::int64_t kShareWhereStill = 16;
  constexpr std::int64_t kRest = 32;
  constexpr std::int64_t kRestWhereStill = 4;
  const std::int64_t still = (time_.now() - still_since()).wall;
  const bool is_still = still >= watchdog_ / 8;
  worker.loop_looks->ask(is_still ? still / kShareWhereStill : period() / kShare, is_still ? kRestWhereStill : kRest);
}

/// Whether no block can ever end. Where there are several, what one of them writes others may read.
bool Liveness::circle_in_loops(const Grid& grid) const {
  std::size_t awake = 0;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (!grid.is_awake(i)) continue;
    if (!workers_[i].circles_in_loops) return false;
    ++awake;
  }
  return awake == 1 || (awake != 0 && (time_.now() - still_since()).wall >= watchdog_ / 8);
}

/// Fibers run blocks that cannot end, and have had the time to come to where those are.
bool Liveness::is_over_on_fibers() const {
  constexpr std::int64_t kSlower = 4;  // fibers are than loops, about
  return circled_in_loops_ &&
         (time_.now() - left_loops_).granted >= std::max(watchdog_ * 3 / 4, kSlower * time_of_loops_);
}

/// When a thread or memory did something for the last time.
Moment Liveness::still_since() const {
  Moment since = changed_;
  for (const WorkerLooks& one : workers_) since = std::max(since, one.moved);
  return since;
}

bool Liveness::is_dead(const Grid& grid) const {
  // Threads that run as loops wait for no others: a block that is not known to be in a circle gets on.
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (workers_[i].runs_loops && grid.is_awake(i)) return false;
  }
  if (is_over_on_fibers()) return true;
  const Moment since = still_since();
  const Moment still = time_.now() - since;
  if (still.wall < watchdog_) return false;
  bool repeats = true;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const bool circles = workers_[i].circles() && (time_.now() - workers_[i].new_wait).wall >= watchdog_ / 2;
    repeats = repeats && (circles || !grid.is_awake(i));
  }
  // Threads whose states do not repeat may compute for long before they store anything. Counting is no more than that
  // where they do nothing else that others could notice.
  constexpr std::int64_t kPatience = 7;  // quarters
  const Moment computing = time_.now() - std::max(since, std::min(counted_, progressed_));
  return repeats || computing.granted >= watchdog_ * kPatience / 4;
}

bool Liveness::look(WorkerState& worker, std::size_t index, const TickSample& sample, std::int64_t now) {
  if (!mutex_.try_lock()) return false;
  const base::Lock lock(mutex_, std::adopt_lock);
  time_.look(index, now, time_queued());
  time_.pass([&grid = worker.grid()](std::size_t one) { return grid.is_awake(one); });
  WorkerLooks& looks = workers_.at(index);
  look_at_threads(worker, looks, sample);
  look_at_memory(worker);
  look_at_loops(worker, looks);
  if (!circled_in_loops_ && circle_in_loops(worker.grid())) {
    circled_in_loops_ = true;
    left_loops_ = time_.now();
    time_of_loops_ = (time_.now() - looks.moved).granted;
  }
  is_over_.store((circled_in_loops_ && looks.runs_loops) || is_dead(worker.grid()));
  const bool is_late = (time_.now() - still_since()).wall >= watchdog_ / 2;
  return is_over() || (is_late && !std::exchange(has_warned_, true));
}

void Liveness::look_again_soon() {
  const std::int64_t before = watchdog_ * 7 / 8;
  if (is_over_.exchange(false)) changed_ = std::max(changed_, time_.now() - Moment{before, before});
}

void Liveness::postpone() {
  const base::Lock lock(mutex_);
  had_help_ = true;
  look_again_soon();
}

bool Liveness::ends_without_help() {
  const base::Lock lock(mutex_);
  if (!is_over()) return false;
  if (!std::exchange(had_help_, false)) return true;
  look_again_soon();
  return false;
}

Liveness& liveness_of(Grid& grid) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::call_once(grid.liveness_made, [&grid] {
    grid.liveness = std::make_shared<Liveness>(grid.request.watchdog_seconds * kSecond, grid.workers.size());
  });
  return *grid.liveness;
}

}  // namespace warpfiber::engine
