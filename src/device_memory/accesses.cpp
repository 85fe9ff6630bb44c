// SPDX-License-Identifier: Apache-2.0
//
// The Runtime holds the one watcher. A forked child has none, as it shares no memory with the process that
// checks.
#include "device_memory/accesses.hpp"

#include <atomic>

#include "base/forking.hpp"
#include "process/explain.hpp"
#include "process/findings/host_findings.hpp"
#include "process/runtime.hpp"
#include "streams/streams.hpp"

namespace warpfiber::runtime {

void watch_accesses(AccessWatcher* watcher) {
  Runtime::of_process().access_watcher.store(watcher, std::memory_order_release);
}

AccessWatcher* access_watcher() {
  return base::is_forked_child() ? nullptr : Runtime::of_process().access_watcher.load(std::memory_order_acquire);
}

void note_allocation(const void* base, std::size_t bytes) {
  AccessWatcher* watcher = access_watcher();
  if (watcher != nullptr && bytes != 0) watcher->allocation(base, bytes, order_of_host());
}

Error note_release_and_free(void* memory, MemoryKind kind, MemoryKind or_kind, const record::LaunchOrder* order) {
  if (AccessWatcher* watcher = access_watcher()) {
    const auto block = block_at(memory);
    if (block.has_value() && block->base == memory && (block->kind == kind || block->kind == or_kind)) {
      watcher->release(block->base, block->bytes, order != nullptr ? *order : order_of_host());
    }
  }
  const UserCall call = order != nullptr ? UserCall{order->call, order->returns_to} : user_call();
  const Error error = release(memory, kind, or_kind, call.returns_to);
  if (error == Error::success || !host_is_checked()) return error;
  report_host_finding(invalid_free(memory, reason_of_call(), call));
  if (order == nullptr) {
    finding_is_made();
  } else {
    forget_explanation();  // nobody is in a call
  }
  return error;
}

}  // namespace warpfiber::runtime
