// SPDX-License-Identifier: Apache-2.0
// By which calls threads have come to where they stand, for the parties of findings. Nothing of it is kept while a
// launch gets on: stacks are read when a finding is made.
#pragma once

#include <warpfiber/detail/fiber.hpp>

#include <vector>

#include "fiber/trails.hpp"
#include "record/finding.hpp"
#include "record/stack_frame.hpp"

namespace warpfiber::engine {

struct WorkerState;

/// Of the running thread of this OS thread.
record::StackId calls_here(const WorkerState& worker);

/// Those of the running thread, which a signal has interrupted with this stack pointer. Called in the signal's handler.
record::StackId calls_from(const WorkerState& worker, const char* stack_pointer);

/// In which frame of a waiting thread's stack an address is; unknown where that thread runs, or has returned.
record::StackFrame frame_at(const WorkerState& worker, const void* address);

/// Of threads that wait.
class WaitingCalls {
 public:
  /// `fiber` is of any worker that stands still, or of the one that asks.
  void add(const WorkerState& worker, const detail::Fiber& fiber);
  void put(record::Party& party) const;

 private:
  static constexpr std::size_t kMostWays = 16;

  struct Way {
    const void* resume = nullptr;
    fiber::Trail trail{};
    record::StackId calls{};
  };

  std::vector<Way> ways_;
};

}  // namespace warpfiber::engine
