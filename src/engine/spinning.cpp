// SPDX-License-Identifier: Apache-2.0
// Threads that let others run: they poll an atomic, call a fence or __nanosleep, or were preempted in a loop. They run
// again when nothing better can. A launch in which only such threads run, in circles, is a livelock: decided by what
// they do, never by how long it takes.
#include <algorithm>
#include <thread>
#include <utility>

#include "base/ids.hpp"
#include "engine/liveness/liveness.hpp"
#include "engine/own_scope.hpp"
#include "engine/worker.hpp"
#include "fiber/tools.hpp"

namespace warpfiber::engine {

using detail::current_thread;
using detail::Fiber;

namespace {

constexpr int kPollsOfASpinner = 4;
// Rounds without progress before anybody's state is looked at, repeated states that make a circle, and the rounds after
// which a thread that never repeats (it counts its polls, say) is given up all the same.
constexpr std::uint64_t kPatience = 16;
constexpr std::uint64_t kPatienceWithPreempted = 2;
constexpr unsigned kCircles = 8;
constexpr unsigned kCirclesOfPreempted = 2;  // each look at such a thread costs a tick
constexpr std::uint64_t kLastRound = std::uint64_t{1} << 19;
constexpr std::uint64_t kRoundsBeforeYield = 64;
// Times kPollsBeforeYield.
constexpr unsigned kPassesOfAWorker = 64;
// How often this OS thread offers its core to other workers before it makes another block resident.
constexpr unsigned kYieldsBeforeAdmission = 16;

}  // namespace

void Worker::let_others_run(const SpinNote& where, std::uint64_t state) {
  if (watch_ != nullptr && where.instruction != nullptr) watch_->interrupt();
  busy_turns_.note_yield();
  Fiber* self = begin_wait();
  SpinNote note = where;
  self->more->note = &note;
  self->more->vote = vote_;
  if (state != 0 && looks_at(where)) history_of(*self).observe(state);
  if (in_order_) {
    block().yielded.append(self);
    if (yielded_++ == 0) seen_of_others_ = progress_of_others();
  } else {
    policy_.yielded(id_of(*self));
    make_ready(self);
    count_spin_by_policy();
  }
  {
    const OwnScope own;
    wait(suspend(self));
  }
  self->more->note = nullptr;
  polling_thread_ = id_of(*self);
  if (where.works) passes_ = kPassesOfAWorker;  // its next turns are short
  current_thread.polls_left = in_order_ ? kPollsOfASpinner : 1;
  current_thread.asleep = false;
}

/// The time of the launch is over: the running thread stays where it is, and the worker goes to where all rest.
void Worker::stay(const SpinNote& where) {
  SpinNote note = where;
  Fiber* self = begin_wait();
  self->more->note = &note;
  if (in_order_) {
    block().yielded.append(self);
  } else {
    make_ready(self);
  }
  const OwnScope own;
  wait(detail::Switch{self, enter_host()});
}

/// To the watchdog the launch seems dead. Whether somebody outside can help is asked on the worker's own stack; the
/// running thread goes on if so.
void Worker::ask_whether_dead(const SpinNote& where) {
  SpinNote note = where;
  Fiber* self = begin_wait();
  self->more->note = &note;
  grid_->may_be_dead.store(true);
  if (in_order_) {
    block().ready.append(self);
  } else {
    make_ready(self);
  }
  {
    const OwnScope own;
    wait(detail::Switch{self, enter_host()});
  }
  self->more->note = nullptr;
}

void Worker::end_if_dead() {
  if (!grid_->may_be_dead.exchange(false)) return;
  Surroundings* surroundings = grid_->request.surroundings;
  if (surroundings != nullptr && surroundings->can_be_helped()) {
    grid_->liveness().postpone();
  } else if (grid_->liveness().is_over()) {
    grid_->end_as_dead();
  }
}

// Reads what AddressSanitizer puts between the variables of a stack as well.
__attribute__((noinline, no_sanitize_address)) std::uint64_t hash_bytes(const char* from, const char* to,
                                                                        std::uint64_t hash) {
  for (; from + sizeof(std::uint64_t) <= to; from += sizeof(std::uint64_t)) {
    std::uint64_t word;
    __builtin_memcpy(&word, from, sizeof word);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  }
  fiber::call_defined(hash);  // a stack has holes nobody has written to; they stay as they are while a thread spins
  fiber::announce_defined(&hash, sizeof hash);
  return hash;
}

bool Worker::looks_at(const SpinNote& where) const {
  return spin_rounds_ >= kPatience || where.instruction != nullptr;
}

bool Worker::is_one_thread_polling() {
  if (!in_order_) return true;
  const std::uint64_t thread = base::fiber_id(block().rank, detail::thread_rank(), grid_->threads);
  return std::exchange(polling_thread_, thread) == thread;
}

/// Whether it is the turn of others because the thread goes on and on through a loop that looks at memory and works.
/// Counted in passes, so that the clock takes no part in it. A thread that works in such a loop without waiting ends
/// before, as a rule, and takes no stack of its own.
bool Worker::has_worked_often() {
  if (!is_one_thread_polling()) passes_ = 0;
  return ++passes_ >= kPassesOfAWorker;
}

/// The running thread has changed memory. Every other policy is asked each time.
bool Worker::ends_turn() {
  if (!in_order_) return true;
  const std::uint64_t thread = base::fiber_id(block().rank, detail::thread_rank(), grid_->threads);
  const bool ends = !index_is_hidden() && busy_turns_.is_over(thread);
  current_thread.ask_from = current_thread.progress + busy_turns_.length();
  return ends;
}

SpinHistory& Worker::history_of(Fiber& fiber) {
  if (fiber.more->history == nullptr) {
    histories_.push_back(std::make_unique<SpinHistory>());
    fiber.more->history = histories_.back().get();
  }
  return *static_cast<SpinHistory*>(fiber.more->history);
}

/// Something has changed since the last round: all bets are off.
bool Worker::noticed_progress() {
  const std::uint64_t progress = grid_->total_progress();
  if (progress == spin_progress_) return false;
  spin_progress_ = progress;
  spin_rounds_ = 0;
  for (auto& history : histories_) history->forget();
  set_circling(false);
  return true;
}

void Worker::set_circling(bool circling) {
  if (circling == circling_) return;
  circling_ = circling;
  grid_->circling.fetch_add(circling ? 1U : ~0U);
}

bool Worker::runs_in_circles(const Fiber& fiber) const {
  const auto* history = static_cast<const SpinHistory*>(fiber.more->history);
  const auto* note = static_cast<const SpinNote*>(fiber.more->note);
  if (note != nullptr && note->works) return false;
  if (spin_rounds_ >= kLastRound) return true;
  const bool preempted = note != nullptr && note->instruction != nullptr;
  return history != nullptr && history->repeats() >= (preempted ? kCirclesOfPreempted : kCircles);
}

/// Every thread of this worker that can run has been in the same state before.
bool Worker::all_run_in_circles() const {
  const bool is_last = spin_rounds_ >= kLastRound;
  bool all = true;
  for (const ResidentBlock* block : resident_) {
    block->yielded.each([&](const Fiber* fiber) { all = all && runs_in_circles(*fiber); });
  }
  for (const Fiber* fiber : policy_.fibers()) all = all && (fiber != nullptr ? runs_in_circles(*fiber) : is_last);
  return all;
}

std::size_t Worker::spinning_threads() const {
  std::size_t count = policy_.size();
  for (const ResidentBlock* block : resident_) block->yielded.each([&count](const Fiber*) { ++count; });
  return count;
}

/// Whether this worker has yet to let its spinning threads run once more in vote `vote`.
bool Worker::takes_first_look(std::uint64_t vote) {
  if (std::exchange(vote_, vote) == vote) return false;
  threads_in_vote_ = spinning_threads();
  return true;
}

bool Worker::still_circles() const {
  return circling_ && spinning_threads() == threads_in_vote_;
}

/// Whether all of them have run since this worker heard of the vote. A policy may pass some over for long.
bool Worker::all_have_looked() const {
  bool all = true;
  const auto ask = [&](const Fiber* fiber) { all = all && fiber->more->vote == vote_; };
  for (const ResidentBlock* block : resident_) block->yielded.each(ask);
  for (const Fiber* fiber : policy_.fibers()) {
    if (fiber != nullptr) ask(fiber);
  }
  return all;
}

/// Lets every thread that has let others run have another go. False if there is none.
bool Worker::spin_round() {
  bool any = false;
  for (const ResidentBlock* block : resident_) any = any || !block->yielded.empty();
  if (!any) return false;
  if (!noticed_progress()) ++spin_rounds_;
  set_circling(spin_rounds_ >= kPatienceWithPreempted && all_run_in_circles());
  if ((circling_ || grid_->voting.load()) && stop_if_all_circle(*this)) return true;
  if (spin_rounds_ > kRoundsBeforeYield && grid_->workers.size() > 1) std::this_thread::yield();
  make_yielded_ready();
  return true;
}

void Worker::make_yielded_ready() {
  for (ResidentBlock* block : resident_) make_ready(*block, block->yielded);
  yielded_ = 0;
}

std::uint64_t Worker::progress_of_others() const {
  return grid_->total_progress() - current_thread.progress;
}

/// What other workers have done since threads began to spin here may be what those wait for, and to run them is cheaper
/// than to make another block resident. But they may as well wait for that block, and be many, so their goes are
/// limited.
bool Worker::spin_before_admission() {
  if (yielded_ == 0 || yielded_ > spin_budget_ || grid_->workers.size() == 1) return false;
  for (unsigned i = 0; progress_of_others() == seen_of_others_; ++i) {
    if (i == kYieldsBeforeAdmission) return false;
    std::this_thread::yield();
  }
  spin_budget_ -= yielded_;
  return spin_round();
}

/// The same under a policy, which runs spinners like all others.
void Worker::count_spin_by_policy() {
  count_release();
  if (std::exchange(turn_ended_, false)) let_all_run();
  if (noticed_progress()) {
    host_decides_ = grid_->voting.load();
    return;
  }
  const std::uint64_t round = policy_.size();
  if (++spin_polls_ % round != 0) return;
  ++spin_rounds_;
  admit();
  release_from_grid_barrier();
  if (spin_rounds_ < kPatience) return;
  for (ResidentBlock* block : resident_) resolve_convergence(*block);
  set_circling(all_run_in_circles());
  // Explaining takes more stack than a fiber has.
  host_decides_ = circling_ || grid_->voting.load();
}

}  // namespace warpfiber::engine
