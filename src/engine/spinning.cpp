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
// Rounds without progress before states that were looked at decide: ticks look at threads that they preempt.
constexpr std::uint64_t kPatienceWithPreempted = 2;
constexpr std::uint64_t kRoundsBeforeYield = 64;
// How often this OS thread offers its core to other workers before it makes another block resident.
constexpr unsigned kYieldsBeforeAdmission = 16;

}  // namespace

void Worker::let_others_run(const SpinNote& where, std::uint64_t state) {
  if (observer_ != nullptr && where.instruction != nullptr) observer_->preempt();
  busy_turns_.note_yield();
  Fiber* self = begin_wait();
  SpinNote note = where;
  self->more->note = &note;
  self->more->vote = circles_.vote();
  if (state != 0 && circles_.looks_at(where)) circles_.observe(*self, state);
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
  polls_.resume(id_of(*self), where.works);
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
  DeviceShare* device_share = grid_->request.device_share;
  if (device_share != nullptr && device_share->can_be_helped()) {
    grid_->liveness().postpone();
  } else if (grid_->liveness().ends_without_help()) {
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

base::FiberId Worker::running_id() const {
  return base::fiber_id(block().rank, detail::thread_rank(), grid_->threads);
}

/// The running thread has changed memory. Every other policy is asked each time.
bool Worker::ends_turn() {
  if (!in_order_) return true;
  const bool ends = !index_is_hidden() && busy_turns_.is_over(running_id());
  current_thread.ask_from = current_thread.progress + busy_turns_.length();
  return ends;
}

/// Lets every thread that has let others run have another go. False if there is none.
bool Worker::spin_round() {
  bool any = false;
  for (const ResidentBlock* block : resident_) any = any || !block->yielded.empty();
  if (!any) return false;
  if (!circles_.noticed_progress()) circles_.count_round();
  circles_.reconsider(kPatienceWithPreempted);
  if ((circles_.found() || grid_->voting.load()) && stop_if_all_circle(*this)) return true;
  if (circles_.rounds() > kRoundsBeforeYield && grid_->workers.size() > 1) std::this_thread::yield();
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
  if (circles_.noticed_progress()) {
    host_decides_ = grid_->voting.load();
    return;
  }
  const std::uint64_t round = policy_.size();
  if (++spin_polls_ % round != 0) return;
  circles_.count_round();
  admit();
  release_from_grid_barrier();
  if (circles_.rounds() < Circles::kPatience) return;
  for (ResidentBlock* block : resident_) reconvergence_.resolve(*block);
  circles_.reconsider(Circles::kPatience);
  // Explaining takes more stack than a fiber has.
  host_decides_ = circles_.found() || grid_->voting.load();
}

}  // namespace warpfiber::engine
