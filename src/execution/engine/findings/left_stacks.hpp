// SPDX-License-Identifier: Apache-2.0
// Stacks that threads of kernels have left, of all workers: a pointer to a local variable may outlive its thread.
// Nothing of it is asked for while pointers lead elsewhere.
#pragma once

#include <optional>

#include "fiber/stacks.hpp"
#include "record/stack_frame.hpp"

namespace warpfiber::engine {

struct WorkerState;

/// While this lives the stacks are known to other workers.
class KnownStacks {
 public:
  explicit KnownStacks(const fiber::StackSlabs& stacks);
  ~KnownStacks();
  KnownStacks(const KnownStacks&) = delete;
  KnownStacks& operator=(const KnownStacks&) = delete;

 private:
  const fiber::StackSlabs& stacks_;
};

/// Where `address` is in the stack of a thread that has ended, or that another worker runs. Asked where no resident
/// thread of `worker` has it.
std::optional<record::LeftStack> left_stack_at(const WorkerState& worker, const void* address);

}  // namespace warpfiber::engine
