// SPDX-License-Identifier: Apache-2.0
// Looking at states and rounds. Threads of in-order launches spin in their blocks' lists, others in the queue.
#include "engine/liveness/circles.hpp"

#include <warpfiber/intrinsics/phase.hpp>

#include <utility>

namespace warpfiber::engine {
namespace {

using detail::Fiber;

// Repeated states that make a circle, and the rounds after which a thread that never repeats (it counts its polls, say)
// is given up all the same.
constexpr unsigned kCircles = 8;
constexpr unsigned kCirclesOfPreempted = 2;  // each look at such a thread costs a tick
constexpr std::uint64_t kLastRound = std::uint64_t{1} << 19;

/// Whether a thread stands at a barrier in a loop that it cannot leave there: the phase that it awaits is not over.
bool is_held_within(const Fiber& fiber) {
  constexpr unsigned kParity = 63;  // the bit (PhaseFields)
  const auto* note = static_cast<const SpinNote*>(fiber.more->note);
  if (note == nullptr || !note->idle || note->phase == nullptr || note->phase->parity < 0) return false;
  const std::uint64_t word = __atomic_load_n(static_cast<const std::uint64_t*>(note->address), __ATOMIC_ACQUIRE);
  return static_cast<int>(word >> kParity) == note->phase->parity;
}

}  // namespace

void Circles::begin(Grid& grid) {
  grid_ = &grid;
  progress_ = gain_ = rounds_ = vote_ = 0;
  spins_ = is_known_ = false;
  for (auto& history : histories_) history->set_idling(false);
  meetings_.begin();
}

bool Circles::looks_at(const SpinNote& where) const {
  return rounds_ >= kPatience || where.instruction != nullptr || worker_.meetings.is_near_look();
}

void Circles::look(Fiber& fiber, const SpinNote& where, std::uint64_t state) {
  ++fiber.more->passes;
  if (state == 0 || !looks_at(where)) {
    if (!where.idle) fiber.more->vote = vote_;
    return;
  }
  SpinHistory& history = history_of(fiber);
  history.observe(state);
  if (where.idle) {
    history.observe_idle();
    // It may look many times in one pass: its passes count (pass_idly), and whether it is where it was.
    if (where.phase == nullptr && history.has_come_back(vote_, state)) fiber.more->vote = vote_;
    return;
  }
  // A tick lets a turn go on for longer than any circle takes.
  const bool is_turn_of_tick = where.stack != nullptr;
  if (is_turn_of_tick || history.has_come_round(vote_, state)) fiber.more->vote = vote_;
}

SpinHistory& Circles::history_of(const Fiber& fiber) {
  if (fiber.more->history == nullptr) {
    histories_.push_back(std::make_unique<SpinHistory>());
    fiber.more->history = histories_.back().get();
  }
  return *static_cast<SpinHistory*>(fiber.more->history);
}

void Circles::set_idling(const Fiber& fiber, bool idles) {
  if (fiber.more->history == nullptr && !idles) return;
  if (history_of(fiber).set_idling(idles) == idles) return;
  worker_.idlers += idles ? 1U : ~0U;
}

void Circles::pass_idly(const Fiber& fiber) {
  set_idling(fiber, true);
  if (history_of(fiber).pass(vote_)) fiber.more->vote = vote_;
}

bool Circles::noticed_progress() {
  worker_.say_gain();
  // A rendezvous that completes on another worker releases no thread of this one.
  const std::uint64_t gain = grid_->total_gain();
  const std::uint64_t progress = gain + worker_.meetings.met();
  if (std::exchange(gain_, gain) != gain) meetings_.forget();
  if (progress == progress_) return false;
  progress_ = progress;
  rounds_ = 0;
  for (auto& history : histories_) history->forget();
  set_spins(false);
  return true;
}

void Circles::set_spins(bool spins) {
  spins_ = spins;
  announce();
}

void Circles::announce() {
  worker_.meets_in_circles = meetings_.found();
  // The same for a whole series of looks: where it is noted the stacks of those who poll look different.
  detail::current_thread.notes_polls = found() || worker_.meetings.is_near_look();
  if (std::exchange(is_known_, found()) == found()) return;
  grid_->circling.fetch_add(found() ? 1U : ~0U);
}

void Circles::reconsider(std::uint64_t patience) {
  set_spins(rounds_ >= patience && all_repeat());
}

void Circles::look_at_meetings(BlockLifecycle& blocks) {
  meetings_.look(blocks);
  announce();
}

bool Circles::repeats(const Fiber& fiber) const {
  const auto* history = static_cast<const SpinHistory*>(fiber.more->history);
  const auto* note = static_cast<const SpinNote*>(fiber.more->note);
  // One that idles may also be where it has just met others.
  if (idles(fiber) && history->idle_looks() >= kCircles) return true;
  // Who works may search for long, and counts its turns; and others idle for as long as one of them computes.
  const bool works = (note != nullptr && note->works) || worker_.idlers != 0;
  if (rounds_ >= kLastRound && !works) return true;
  const bool preempted = note != nullptr && note->instruction != nullptr;
  return history != nullptr && history->repeats() >= (preempted ? kCirclesOfPreempted : kCircles);
}

/// A thread that has not started is no reason to go on once the others are given up.
bool Circles::all_repeat() const {
  const bool is_last = rounds_ >= kLastRound;
  bool all = true;
  for (const ResidentBlock* block : resident_) {
    block->yielded.each([&](const Fiber* fiber) { all = all && repeats(*fiber); });
  }
  for (const Fiber* fiber : queue_.fibers()) all = all && (fiber != nullptr ? repeats(*fiber) : is_last);
  return all;
}

std::size_t Circles::spinning_threads() const {
  std::size_t count = queue_.size();
  for (const ResidentBlock* block : resident_) block->yielded.each([&count](const Fiber*) { ++count; });
  return count;
}

bool Circles::takes_first_look(std::uint64_t vote) {
  if (std::exchange(vote_, vote) == vote) return false;
  threads_in_vote_ = spinning_threads();
  for (auto& history : histories_) history->forget_polled();
  meetings_.begin_vote();
  return true;
}

bool Circles::still_there() const {
  // Of threads that idle and meet some wait for the others at any time.
  return meetings_.found() || (spins_ && (worker_.idlers != 0 || spinning_threads() == threads_in_vote_));
}

bool Circles::all_have_looked() const {
  const bool meets = meetings_.found();
  bool all = !meets || meetings_.all_have_come_round();
  const auto ask = [&](const Fiber* fiber) {
    const bool has_looked = fiber->more->vote == vote_ || is_held_within(*fiber);
    all = all && (has_looked || (meets && !idles(*fiber)));
  };
  for (const ResidentBlock* block : resident_) {
    block->yielded.each(ask);
    if (meets) block->ready.each(ask);
  }
  for (const Fiber* fiber : queue_.fibers()) {
    if (fiber != nullptr) ask(fiber);
  }
  return all;
}

}  // namespace warpfiber::engine
