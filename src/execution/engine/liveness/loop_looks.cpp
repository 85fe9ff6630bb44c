// SPDX-License-Identifier: Apache-2.0
// States are kept as numbers. Of most blocks no state comes again, and then memory need not be read.
#include "engine/liveness/loop_looks.hpp"

#include <utility>

#include "base/random.hpp"
#include "engine/liveness/passed_time.hpp"
#include "engine/liveness/shared_ranges.hpp"
#include "engine/state/circles/spin_history.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

void LoopLooks::forget() {
  states_.forget();
  with_memory_.forget();
  block_ = ~std::uint64_t{0};
  repeats_ = 0;
  next_memory_ = 0;
}

void LoopLooks::ask(std::int64_t nanoseconds, std::int64_t rest) {
  until_ = wall_time() + nanoseconds;
  rest_ = rest;
  detail::current_thread.ask_from = 0;
}

void LoopLooks::ask_no_more() {
  detail::current_thread.ask_from = ~std::uint64_t{0};
}

void LoopLooks::see(const char* bytes, std::size_t count) {
  state_ = hash_bytes(bytes, bytes + count, state_);
}

void LoopLooks::seen(const WorkerState& worker, unsigned head) {
  const ResidentBlock& block = worker.block();
  if (block_ != block.rank) forget();
  block_ = block.rank;
  see(block.arena.base(), block.arena.bytes());
  const std::uint64_t state = base::mix(std::exchange(state_, 1), head);
  if (!states_.add(state)) look_at_memory(worker, state);
  if (wall_time() > until_) ask_no_more();
}

void LoopLooks::look_at_memory(const WorkerState& worker, std::uint64_t state) {
  const std::int64_t begin = wall_time();
  if (begin < next_memory_) return;
  const auto memory = hash_of(shared_ranges(worker));
  if (memory.has_value() && !with_memory_.add(base::mix(state, *memory))) ++repeats_;
  const std::int64_t end = wall_time();
  next_memory_ = end + rest_ * (end - begin);
}

bool LoopLooks::take_counts() {
  return std::exchange(counts_, false);
}

}  // namespace warpfiber::engine
