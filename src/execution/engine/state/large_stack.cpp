// SPDX-License-Identifier: Apache-2.0
// Templates that the library and a checked program both use may have been linked in the program's version, which calls
// access hooks: so the observers are paused while the work runs in a kernel.
#include "engine/state/large_stack.hpp"

#include <utility>

#include "engine/state/worker_state.hpp"
#include "fiber/large_stack.hpp"

namespace warpfiber::engine {

bool run_on_large_stack(const std::function<void()>& work) {
  WorkerState* const worker = WorkerState::current();
  if (worker == nullptr) return fiber::run_on_large_stack(work);
  const record::ScopedPause pause(worker->observer);
  const bool was_busy = std::exchange(detail::current_thread.busy, true);
  const bool done = fiber::run_on_large_stack(work);
  detail::current_thread.busy = was_busy;
  return done;
}

}  // namespace warpfiber::engine
