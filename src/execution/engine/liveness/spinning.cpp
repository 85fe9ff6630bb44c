// SPDX-License-Identifier: Apache-2.0
// In order, threads that spin are in lists of their blocks and run when nothing else can; a policy runs them like all
// others.
#include "engine/liveness/spinning.hpp"

#include <thread>
#include <utility>

#include "engine/liveness/liveness.hpp"
#include "engine/liveness/voting.hpp"
#include "engine/sharing/device_share.hpp"
#include "engine/state/own_scope.hpp"
#include "fiber/tools.hpp"

namespace warpfiber::engine {

using detail::current_thread;
using detail::Fiber;

namespace {

/// While other threads of the worker run, they wait in no loop of the running one.
class OwnLoop {
 public:
  explicit OwnLoop(WorkerState& worker)
      : worker_(worker),
        waiting_(std::exchange(current_thread.waiting, false)),
        idler_(std::exchange(worker.idler, nullptr)) {}
  ~OwnLoop() {
    current_thread.waiting = waiting_;
    worker_.idler = idler_;
  }
  OwnLoop(const OwnLoop&) = delete;
  OwnLoop& operator=(const OwnLoop&) = delete;

 private:
  WorkerState& worker_;
  bool waiting_;
  const Fiber* idler_;
};

constexpr int kPollsOfASpinner = 4;
// Rounds without progress before states that were looked at decide: ticks look at threads that they preempt.
constexpr std::uint64_t kPatienceWithPreempted = 2;
constexpr std::uint64_t kRoundsBeforeYield = 64;
constexpr unsigned kIdlePasses = 64;
// After so many under a policy a thread yields for once.
constexpr std::uint64_t kWritesBeforeYield = 1024;
// How often this OS thread offers its core to other workers before it makes another block resident.
constexpr unsigned kYieldsBeforeAdmission = 16;

/// A number for a place of the code, by what is the same in each run: not where the program is loaded.
std::uint64_t place_number(const SpinNote& where) {
  constexpr std::uintptr_t kPage = 4096;
  const std::uint64_t source = std::uint64_t{where.site.line} << 32 | std::uint64_t{where.site.column} << 16;
  return source | reinterpret_cast<std::uintptr_t>(where.instruction) % kPage;
}

}  // namespace

// Reads what AddressSanitizer puts between the variables of a stack as well.
__attribute__((noinline, no_sanitize_address)) std::uint64_t hash_bytes(const char* from, const char* to,
                                                                        std::uint64_t hash) {
  for (; from + sizeof(std::uint64_t) <= to; from += sizeof(std::uint64_t)) {
    std::uint64_t word;
    __builtin_memcpy(&word, from, sizeof word);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  }
  if (from < to) {
    std::uint64_t rest = 0;
    __builtin_memcpy(&rest, from, static_cast<std::size_t>(to - from));
    hash = (hash ^ rest) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  }
  fiber::call_defined(hash);  // a stack has holes that were never written; they stay as they are while a thread spins
  fiber::announce_defined(&hash, sizeof hash);
  return hash;
}

void Spinning::begin() {
  circles_.begin(worker_.grid());
  polls_ = PollTurns(worker_.in_order);
  busy_turns_ = {};
  spin_polls_ = 0;
  idle_passes_ = 0;
  last_writer_ = base::kNoFiber;
  writes_in_a_row_ = 0;
}

void Spinning::note_idle_pass(Site site) {
  worker_.idler = worker_.running();
  circles_.pass_idly(*worker_.running());
  // Threads that meet in such a loop take turns there, so that no poll finds that all were of one thread.
  if (++idle_passes_ >= kIdlePasses) let_others_run({.site = site}, 1);
}

void Spinning::note_idle_end() {
  worker_.idler = nullptr;
  circles_.set_idling(*worker_.running(), false);
}

void Spinning::let_others_run(const SpinNote& where, std::uint64_t state) {
  if (worker_.observer != nullptr && where.instruction != nullptr) worker_.observer->preempt();
  busy_turns_.note_yield();
  Fiber* self = waits_.begin();
  SpinNote note = where;
  if (note.stack == nullptr) note.state = state;
  idle_passes_ = 0;
  note.idle = idles(*self);
  self->more->note = &note;
  circles_.look(*self, note, state);
  if (worker_.in_order) {
    worker_.block().yielded.append(self);
    if (worker_.yielded++ == 0) seen_of_others_ = progress_of_others();
  } else {
    worker_.policy.comes_to(place_number(where));
    report_to_policy(worker_.id_of(*self), where.writes);
    choosing_.make_ready(self);
    count_spin_by_policy();
  }
  {
    const OwnScope own;
    const OwnLoop loop(worker_);
    waits_.wait(choosing_.suspend(self));
  }
  self->more->note = nullptr;
  polls_.resume(worker_.id_of(*self), where.works);
  current_thread.polls_left = worker_.in_order ? kPollsOfASpinner : 1;
  current_thread.asleep = false;
}

/// Which threads a policy prefers is its own affair, but one that writes and writes may wait for another one.
void Spinning::report_to_policy(base::FiberId self, bool writes) {
  if (!writes) return worker_.policy.yielded(self);
  const bool goes_on = std::exchange(last_writer_, self) == self;
  writes_in_a_row_ = goes_on ? writes_in_a_row_ + 1 : 0;
  if (writes_in_a_row_ % kWritesBeforeYield == kWritesBeforeYield - 1) return worker_.policy.yielded(self);
  worker_.policy.wrote(self);
}

/// The time of the launch is over: the running thread stays where it is, and the worker goes to where all rest.
void Spinning::stay(const SpinNote& where) {
  SpinNote note = where;
  Fiber* self = waits_.begin();
  self->more->note = &note;
  if (worker_.in_order) {
    worker_.block().yielded.append(self);
  } else {
    choosing_.make_ready(self);
  }
  const OwnScope own;
  waits_.wait(detail::Switch{self, choosing_.enter_host()});
}

/// To the watchdog the launch seems dead. Whether somebody outside can help is asked on the worker's own stack; the
/// running thread goes on if so.
void Spinning::ask_whether_dead(const SpinNote& where) {
  SpinNote note = where;
  Fiber* self = waits_.begin();
  self->more->note = &note;
  worker_.grid().may_be_dead.store(true);
  if (worker_.in_order) {
    worker_.block().ready.append(self);
  } else {
    choosing_.make_ready(self);
  }
  {
    const OwnScope own;
    const OwnLoop loop(worker_);
    waits_.wait(detail::Switch{self, choosing_.enter_host()});
  }
  self->more->note = nullptr;
}

void Spinning::end_if_dead() {
  if (!worker_.grid().may_be_dead.exchange(false)) return;
  DeviceShare* device_share = worker_.grid().request.device_share;
  if (device_share != nullptr && device_share->can_be_helped()) {
    liveness_of(worker_.grid()).postpone();
  } else if (liveness_of(worker_.grid()).ends_without_help()) {
    worker_.grid().end_as_dead();
  }
}

/// The running thread has changed memory. Every other policy is asked each time.
bool Spinning::ends_turn() {
  if (!worker_.in_order) return true;
  const bool ends = !worker_.index_is_hidden() && busy_turns_.is_over(worker_.running_id());
  current_thread.ask_from = current_thread.progress + busy_turns_.length();
  return ends;
}

/// Lets every thread that has let others run have another go. False if there is none.
bool Spinning::spin_round() {
  bool any = false;
  for (const ResidentBlock* block : worker_.resident) any = any || !block->yielded.empty();
  if (!any) return false;
  if (!circles_.noticed_progress()) circles_.count_round();
  circles_.reconsider(kPatienceWithPreempted);
  if ((circles_.found() || worker_.grid().voting.load()) && stop_if_all_circle(worker_, circles_)) return true;
  if (circles_.rounds() > kRoundsBeforeYield && worker_.grid().workers.size() > 1) std::this_thread::yield();
  choosing_.make_yielded_ready();
  return true;
}

bool Spinning::look_at_meetings() {
  circles_.look_at_meetings(blocks_);
  return (circles_.found() || worker_.grid().voting.load()) && stop_if_all_circle(worker_, circles_);
}

std::uint64_t Spinning::progress_of_others() const {
  return worker_.grid().total_progress() - current_thread.progress;
}

/// What other workers have done since threads began to spin here may be what those wait for, and to run them is cheaper
/// than to make another block resident. But they may as well wait for that block, and be many, so their goes are
/// limited.
bool Spinning::spin_before_admission() {
  if (worker_.yielded == 0 || worker_.yielded > blocks_.spin_budget() || worker_.grid().workers.size() == 1)
    return false;
  if (!worker_.admission.may_admit()) return false;
  for (unsigned i = 0; progress_of_others() == seen_of_others_; ++i) {
    if (i == kYieldsBeforeAdmission) return false;
    std::this_thread::yield();
  }
  blocks_.spend_spins(worker_.yielded);
  return spin_round();
}

/// The same under a policy, which runs spinners like all others.
void Spinning::count_spin_by_policy() {
  worker_.releases.note();
  if (worker_.releases.take_turn()) waits_.let_all_run();
  if (circles_.noticed_progress()) {
    choosing_.ask_host_first(worker_.grid().voting.load());
    return;
  }
  const std::uint64_t round = worker_.policy.size();
  if (++spin_polls_ % round != 0) return;
  circles_.count_round();
  blocks_.admit();
  waits_.releasing().wake_open();
  if (circles_.rounds() < Circles::kPatience) return;
  for (ResidentBlock* block : worker_.resident) reconvergence_.resolve(*block);
  circles_.reconsider(Circles::kPatience);
  // Explaining takes more stack than a fiber has.
  choosing_.ask_host_first(circles_.found() || worker_.grid().voting.load());
}

}  // namespace warpfiber::engine
