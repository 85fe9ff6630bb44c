// SPDX-License-Identifier: Apache-2.0
//
// The process has one watcher. A forked child has none, as it shares no memory with the process that
// checks.
#include "device_memory/accesses.hpp"

#include <atomic>

#include "base/forking.hpp"
#include "device_memory/state/device_memory_state.hpp"
#include "process/explain.hpp"
#include "process/findings/host_findings.hpp"
#include "process/process_state.hpp"
#include "streams/streams.hpp"

namespace warpfiber::device_memory {

void watch_accesses(AccessWatcher* watcher) {
  process::ProcessState::of_process().program_is_checked.store(watcher != nullptr, std::memory_order_release);
  DeviceMemoryState::of_process().access_watcher.store(watcher, std::memory_order_release);
}

AccessWatcher* access_watcher() {
  return base::is_forked_child() ? nullptr
                                 : DeviceMemoryState::of_process().access_watcher.load(std::memory_order_acquire);
}

void note_allocation(const void* base, std::size_t bytes) {
  AccessWatcher* watcher = access_watcher();
  if (watcher != nullptr && bytes != 0) watcher->allocation(base, bytes);
}

void note_registration(const void* base, std::size_t bytes) {
  if (AccessWatcher* watcher = access_watcher()) watcher->registration(base, bytes);
}

void note_unregistration(const void* base, std::size_t bytes) {
  if (AccessWatcher* watcher = access_watcher()) watcher->unregistration(base, bytes);
}

Error note_release_and_free(void* memory, MemoryKind kind, MemoryKind or_kind, const record::LaunchOrder* order) {
  if (AccessWatcher* watcher = access_watcher()) {
    const auto block = block_at(memory);
    if (block.has_value() && block->base == memory && (block->kind == kind || block->kind == or_kind)) {
      watcher->release(block->base, block->bytes, order != nullptr ? *order : streams::order_of_host());
    }
  }
  const process::UserCall call =
      order != nullptr ? process::UserCall{order->call, order->returns_to} : process::user_call();
  const Error error = release(memory, kind, or_kind, call.returns_to);
  if (error == Error::success || !process::host_is_checked()) return error;
  process::report_host_finding(process::invalid_free(memory, process::reason_of_call(), call));
  if (order == nullptr) {
    process::finding_is_made();
  } else {
    process::forget_explanation();  // no call is in progress
  }
  return error;
}

}  // namespace warpfiber::device_memory
