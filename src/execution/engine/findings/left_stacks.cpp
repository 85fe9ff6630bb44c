// SPDX-License-Identifier: Apache-2.0
// A list of the workers' stacks, each of which knows the launch that it was taken for last.
#include "engine/findings/left_stacks.hpp"

#include <algorithm>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "engine/state/engine_state.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

struct WorkerStacks {
  base::Mutex mutex;
  std::vector<const fiber::StackSlabs*> all WARPFIBER_GUARDED_BY(mutex);
};

namespace {

WorkerStacks& workers_stacks() {
  return EngineState::of_process().stacks.get();
}

record::LeftStack left_by(const fiber::StackUse& use, bool is_ended) {
  return {is_ended, reinterpret_cast<const void*>(use.entry), use.depth};
}

}  // namespace

KnownStacks::KnownStacks(const fiber::StackSlabs& stacks) : stacks_(stacks) {
  const base::Lock lock(workers_stacks().mutex);
  workers_stacks().all.push_back(&stacks_);
}

KnownStacks::~KnownStacks() {
  const base::Lock lock(workers_stacks().mutex);
  std::erase(workers_stacks().all, &stacks_);
}

std::optional<record::LeftStack> left_stack_at(const WorkerState& worker, const void* address) {
  if (const auto use = worker.stacks.last_use(address)) return left_by(*use, true);
  const base::Lock lock(workers_stacks().mutex);
  for (const fiber::StackSlabs* stacks : workers_stacks().all) {
    if (const auto use = stacks->last_use(address)) return left_by(*use, use->launch != worker.grid().number);
  }
  return std::nullopt;
}

}  // namespace warpfiber::engine
