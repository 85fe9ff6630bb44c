// SPDX-License-Identifier: Apache-2.0
// A thread that counts, in a register or on its stack, is found in a new state at each look; so is one that searches.
#include "engine/liveness/meeting_looks.hpp"

#include <algorithm>
#include <utility>

#include "base/random.hpp"
#include "engine/choosing/blocks.hpp"
#include "engine/state/circles/spin_history.hpp"

namespace warpfiber::engine {

using detail::Fiber;

namespace {

constexpr std::size_t kMostStates = std::size_t{1} << 20;  // that are kept

/// A thread in a loop that changes nothing by which it could end is where it was, whatever it counts there.
std::uint64_t state_of_idle(const Fiber& fiber) {
  return base::mix(reinterpret_cast<std::uintptr_t>(&fiber), 1);
}

/// Whether a thread that can run has done so since the vote began: what was said before says nothing of it.
bool has_run(const Fiber& fiber) {
  constexpr unsigned kTwice = 2;  // the first time it may have come before the vote
  return fiber.more->passes >= kTwice;
}

}  // namespace

std::uint64_t state_of_waiting(const Fiber& fiber) {
  const auto* note = static_cast<const SpinNote*>(fiber.more->note);
  if (note != nullptr && note->stack != nullptr) return note->state;
  // What the engine keeps on the stack of a thread that lets others run differs with what others do.
  if (note != nullptr && note->state != 0) return base::mix(note->state, reinterpret_cast<std::uintptr_t>(&fiber));
  const auto* low = static_cast<const char*>(fiber.stack_pointer);
  const std::uint64_t start = reinterpret_cast<std::uintptr_t>(fiber.resume) * 31 +
                              reinterpret_cast<std::uintptr_t>(fiber.frame_pointer) * 17 +
                              reinterpret_cast<std::uintptr_t>(&fiber);
  return hash_bytes(low, fiber.more->stack_high, start);
}

void MeetingLooks::forget() {
  is_circle_ = false;
  looks_in_vote_ = looks_ = turns_ = 0;
  states_.clear();
  threads_.clear();
}

bool MeetingLooks::notices_gain() {
  const std::uint64_t gain = worker_.grid().total_gain();
  return std::exchange(gain_, gain) != gain;
}

std::uint64_t MeetingLooks::warps_of_block() const {
  constexpr unsigned kWarp = 32;
  return (worker_.grid().threads + kWarp - 1) / kWarp;
}

/// What a look at one thread has found.
void MeetingLooks::Thread::note(bool is_new, bool may_be_noise) {
  fresh = is_new ? fresh + 1 : 0;
  repeats = is_new ? 0 : repeats + 1;
  if (is_new && (!may_be_noise || fresh > kNoise)) is_proven = false;
  if (repeats >= kRepeats) is_proven = true;
}

/// Looks at each `step`-th thread. False if one of them gets on.
bool MeetingLooks::look_at_threads(std::size_t step) {
  if (states_.size() > kMostStates) states_.clear();
  bool gets_on = false;
  is_circle_ = step == 1;
  std::size_t number = 0;
  worker_.stacks.each_taken([&](const Fiber& fiber) {
    const std::size_t at = number++;
    if (at == threads_.size()) threads_.emplace_back();
    if (at % step != 0) return;
    const std::uint64_t state = idles(fiber) ? state_of_idle(fiber) : state_of_waiting(fiber);
    const bool is_new = state == 0 || states_.insert(state).second;
    Thread& thread = threads_[at];
    thread.note(is_new, worker_.interrupted.contains(&fiber));
    gets_on = gets_on || thread.fresh >= kGetsOn;
    is_circle_ = is_circle_ && thread.is_proven;
  });
  return !gets_on;
}

/// The steps are such that a few threads are looked at first: most loops count in all of them.
std::size_t MeetingLooks::step_of_look() const {
  constexpr unsigned kFirstLooks = kGetsOn + 2;
  constexpr std::size_t kFirstThreads = 64;
  return looks_ < kFirstLooks ? std::max<std::size_t>(threads_.size() / kFirstThreads, 1) : 1;
}

/// Makes as many blocks resident as there are already, if any can be: the threads may wait for one that has not begun.
bool MeetingLooks::admits(BlockLifecycle& blocks) {
  bool any = false;
  for (std::size_t more = worker_.resident.size(); more != 0 && blocks.admit(); --more) any = true;
  if (!any) return false;
  forget();
  worker_.say_gain();
  gain_ = worker_.grid().total_gain();
  return true;
}

void MeetingLooks::look(BlockLifecycle& blocks) {
  MeetingCount& meetings = worker_.meetings;
  const std::uint64_t warps = warps_of_block();
  if (notices_gain()) {
    forget();
    return meetings.start_over();
  }
  if (!meetings.is_worth_a_look(warps * worker_.resident.size())) return;
  meetings.look_again(warps);
  // Every block has a turn in between.
  if (++turns_ < worker_.resident.size()) return;
  turns_ = 0;
  // Whoever has not started may be the one that the others wait for.
  const bool all_started = std::ranges::all_of(
      worker_.resident, [](const ResidentBlock* block) { return block->claimed == block->threads; });
  if (!all_started) return forget();
  const bool may_circle = look_at_threads(step_of_look());
  if (is_circle_ && admits(blocks)) return;
  looks_in_vote_ = is_circle_ ? looks_in_vote_ + 1 : 0;
  if (may_circle && (++looks_ < kLooksInSeries || is_circle_)) return;
  looks_ = 0;
  threads_.clear();
  is_circle_ = false;
  meetings.give_up(warps * worker_.resident.size());
}

void MeetingLooks::begin_vote() {
  looks_in_vote_ = 0;
  worker_.stacks.each_taken([](const Fiber& fiber) { fiber.more->passes = 0; });
}

bool MeetingLooks::all_have_come_round() const {
  if (looks_in_vote_ < kLooksInVote) return false;
  bool all = true;
  const auto ask = [&all](const Fiber* fiber) { all = all && fiber != nullptr && has_run(*fiber); };
  for (const ResidentBlock* block : worker_.resident) {
    block->ready.each(ask);
    block->yielded.each(ask);
  }
  for (const Fiber* fiber : worker_.policy.fibers()) ask(fiber);
  return all;
}

}  // namespace warpfiber::engine
