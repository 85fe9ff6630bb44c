// SPDX-License-Identifier: Apache-2.0
// A thread that never waits is reported by the engine when others are over, too. That it has returned shows earlier:
// another thread of its block runs while the engine has not reported that it waits. Statements are reported on stacks
// of kernels, which may be nearly used up.
#include "step/observer.hpp"

#include <warpfiber/detail/collective.hpp>
#include <warpfiber/detail/current_thread.hpp>

#include <cstdio>
#include <vector>

#include "base/arch/processor.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "base/system/held_ticks.hpp"

namespace warpfiber::step {
namespace {

/// A thread whose stack ends here faults before it holds a lock or changes what is counted.
[[gnu::noinline]] void need_stack() {
  constexpr std::size_t kNeeded = 4096;
  char room[kNeeded];
  room[0] = 0;
  base::use(room);
}

class StepObserver final : public record::Observer {
 public:
  explicit StepObserver(Stepper& stepper) : stepper_(stepper) {}

  bool observes_threads() const override { return true; }
  bool observes_statements() const override { return true; }

  void launch_begin(const record::LaunchBegin& launch) override {
    const base::Lock lock(stepper_.mutex);
    std::fflush(stdout);  // what the program has printed up to here
    launch_ = launch.order.number;
    threads_ = launch.block.x * launch.block.y * launch.block.z;
    warp_size_ = launch.warp_size;
  }

  void launch_end(const record::LaunchEnd&) override {
    const base::Lock lock(stepper_.mutex);
    blocks_.clear();
    places_.clear();
    publish();
  }

  void block_begin(const record::BlockId& block, const memory::SharedArena&) override {
    const base::Lock lock(stepper_.mutex);
    if (block.slot >= blocks_.size()) {
      blocks_.resize(block.slot + 1);
      places_.resize(block.slot + 1);
    }
    places_[block.slot].assign(threads_, StepPlace{});
    blocks_[block.slot] = {.rank = block.rank, .epoch = 0, .places = places_[block.slot].data()};
    publish();
  }

  void block_end(const record::BlockId& block) override {
    const base::Lock lock(stepper_.mutex);
    if (block.slot < blocks_.size()) blocks_[block.slot].places = nullptr;
  }

  void block_runs(const record::BlockId& block) override { slot_ = block.slot; }

  void threads_begin(const record::ThreadRange& threads) override { set(threads, &StepPlace::begun); }
  void threads_end(const record::ThreadRange& threads) override { set(threads, &StepPlace::ended); }

  void release(const record::Release& threads) override {
    if (threads.width == record::Width::warp) return;
    const base::Lock lock(stepper_.mutex);
    for (const record::BlockId& block : threads.blocks) {
      if (block.slot < blocks_.size()) ++blocks_[block.slot].epoch;
    }
  }

  void statement(const Site& where) override {
    need_stack();
    const base::Lock lock(stepper_.mutex);
    StepState& state = stepper_.state;
    if (slot_ >= blocks_.size()) return;
    StepPlace& place = places_[slot_][detail::thread_rank()];
    place.line = where.line;
    place.file = stepper_.counts.count(where);
    ++state.position;
    state.running = {launch_, blocks_[slot_].rank, detail::thread_rank()};
    if (state.position == state.stop_at) return stop(StepStop::position);
    if (state.move == StepMove::none) return;
    const bool has_returned = is_over();
    if (!has_returned && !is_done()) return;
    if (!has_returned && --state.times != 0) {
      state.moving = state.running;
      state.from = blocks_[slot_].epoch;
      return;
    }
    stop(has_returned && is_about_one() ? StepStop::returned : StepStop::move);
  }

 private:
  /// Whether the move is about what one thread, or its block, does.
  bool is_about_one() const WARPFIBER_REQUIRES(stepper_.mutex) {
    const StepMove move = stepper_.state.move;
    return move == StepMove::line || move == StepMove::epoch;
  }

  /// The block of the thread that the move is about; null: it has ended.
  const StepBlock* block_of_move() const WARPFIBER_REQUIRES(stepper_.mutex) {
    const StepThread& moving = stepper_.state.moving;
    if (moving.launch != launch_) return nullptr;
    for (const StepBlock& block : blocks_) {
      if (block.places != nullptr && block.rank == moving.block) return &block;
    }
    return nullptr;
  }

  /// Whether the thread that the move is about, or for an epoch its block, does nothing any more.
  bool is_over() const WARPFIBER_REQUIRES(stepper_.mutex) {
    if (!is_about_one()) return false;
    const StepThread& moving = stepper_.state.moving;
    const StepBlock* const block = block_of_move();
    if (block == nullptr) return true;
    if (stepper_.state.move == StepMove::epoch || moving == stepper_.state.running) return false;
    const StepPlace& place = block->places[moving.thread];
    return place.ended || (place.line != 0 && !place.begun);
  }

  bool is_done() const WARPFIBER_REQUIRES(stepper_.mutex) {
    StepState& state = stepper_.state;
    const StepThread &moving = state.moving, &running = state.running;
    const bool same_block = moving.launch == running.launch && moving.block == running.block;
    switch (state.move) {
      case StepMove::none: return false;
      case StepMove::line: return moving == running;
      case StepMove::lane: return moving != running;
      case StepMove::warp: return !same_block || moving.thread / warp_size_ != running.thread / warp_size_;
      case StepMove::epoch: return same_block && blocks_[slot_].epoch != state.from;
      case StepMove::block: return !same_block;
      case StepMove::launch: return moving.launch != running.launch;
    }
    return false;
  }

  void stop(StepStop why) WARPFIBER_REQUIRES(stepper_.mutex) {
    std::fflush(stdout);
    publish();
    stepper_.stop(why);
  }

  void set(const record::ThreadRange& threads, bool StepPlace::*what) {
    const base::Lock lock(stepper_.mutex);
    if (threads.block.slot >= places_.size()) return;
    for (unsigned thread = threads.first; thread < threads.last; ++thread) {
      places_[threads.block.slot][thread].*what = true;
    }
  }

  void publish() WARPFIBER_REQUIRES(stepper_.mutex) {
    StepState& state = stepper_.state;
    state.files_known = stepper_.counts.files().size();
    state.files = stepper_.counts.files().data();
    state.slots = blocks_.size();
    state.blocks = blocks_.data();
  }

  Stepper& stepper_;
  std::uint64_t launch_ = 0;
  unsigned threads_ = 1;
  unsigned warp_size_ = 1;
  unsigned slot_ = 0;
  std::vector<StepBlock> blocks_ WARPFIBER_GUARDED_BY(stepper_.mutex);               // by slot
  std::vector<std::vector<StepPlace>> places_ WARPFIBER_GUARDED_BY(stepper_.mutex);  // likewise
};

}  // namespace

/// What was asked for is done: the debugger asks anew.
void Stepper::stop(StepStop why) {
  state.stop = why;
  state.stop_at = 0;
  state.move = StepMove::none;
  const base::HeldTicks held;
  stop_(&state);
}

void Stepper::end() {
  const base::Lock lock(mutex);
  std::fflush(stdout);
  stop(StepStop::end);
}

std::unique_ptr<record::Observer> StepFactory::make() {
  return std::make_unique<StepObserver>(stepper_);
}

}  // namespace warpfiber::step
