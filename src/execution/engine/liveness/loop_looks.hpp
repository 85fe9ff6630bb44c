// SPDX-License-Identifier: Apache-2.0
// Looks at a block that a function runs (block_functions.hpp), where its threads meet again and again. The function
// shows all that decides what the block does next, as bytes; together with memory that is its whole state. A block that
// is twice in one state will be there for ever, however long it has run. A tick asks for looks, for some time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/liveness/thread_states.hpp"

namespace warpfiber::engine {

struct WorkerState;

/// Of one worker. On its OS thread, or in ticks of it.
class LoopLooks {
 public:
  /// Nothing is known of any block.
  void forget();

  /// The block function looks for `nanoseconds` from now on. Memory is read as a whole now and then: after that it is
  /// left alone for `rest` times as long as that took.
  void ask(std::int64_t nanoseconds, std::int64_t rest);
  static void ask_no_more();

  void see(const char* bytes, std::size_t count);
  /// All has been seen of the worker's block, which is where meeting `head` is over.
  void seen(const WorkerState& worker, unsigned head);
  /// The block is in a loop that ends when a count comes to its bound.
  void seen_to_count() { counts_ = true; }

  /// Whether the block comes to the same state again and again.
  bool circles() const { return repeats_ >= kRepeats; }
  /// Whether seen_to_count() was called since the last time.
  bool take_counts();

 private:
  static constexpr unsigned kRepeats = 2;

  void look_at_memory(const WorkerState& worker, std::uint64_t state);

  ThreadStates states_{};       // of the frame and the block's shared memory
  ThreadStates with_memory_{};  // the same with all memory, where those came again
  std::uint64_t block_ = 0;     // whose states they are
  std::uint64_t state_ = 0;     // of what has been seen by now
  unsigned repeats_ = 0;
  bool counts_ = false;
  std::int64_t until_ = 0;
  std::int64_t rest_ = 0;
  std::int64_t next_memory_ = 0;
};

}  // namespace warpfiber::engine
