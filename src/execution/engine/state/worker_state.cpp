// SPDX-License-Identifier: Apache-2.0
// Blocks that do not exist, and work on a large stack in a kernel. One inaccessible range of the process stands for all
// blocks that do not exist.
#include "engine/state/worker_state.hpp"

#include <sys/mman.h>

#include <cstddef>
#include <utility>

#include "engine/state/large_stack.hpp"
#include "fiber/large_stack.hpp"

namespace warpfiber::engine {
namespace {

constexpr std::size_t kNowhereBytes = std::size_t{1} << 20;  // as far as any shared memory reaches

char* nowhere() {
  static char* const memory =
      static_cast<char*>(::mmap(nullptr, kNowhereBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  return memory;
}

}  // namespace

char* MissingBlock::memory_for(record::Finding finding, record::Observer& observer) {
  finding_ = std::move(finding);
  observer.ignore(nowhere(), kNowhereBytes);
  return nowhere();
}

const record::Finding* MissingBlock::at(const void* address) const {
  if (!finding_.has_value()) return nullptr;
  const auto* at = static_cast<const char*>(address);
  return at >= nowhere() && at < nowhere() + kNowhereBytes ? &*finding_ : nullptr;
}

// Templates that the library and a checked program both use may have been linked in the program's version, which calls
// access hooks: so the observers are paused while the work runs in a kernel.
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
