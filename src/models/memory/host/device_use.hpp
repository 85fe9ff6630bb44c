// SPDX-License-Identifier: Apache-2.0
// Who may use the memory of devices: calls of CUDA's functions and launches. While there is none and streams have no
// work, it is closed to the host (GlobalHeap::close()), as it is on a machine with a GPU: an access faults.
// Any thread may call.
#pragma once

#include "memory/global_heap.hpp"
#include "memory/memory_state.hpp"

namespace warpfiber::memory {

/// The memory is not closed for as long as this lives. It may be before.
class DeviceCall {
 public:
  DeviceCall() { MemoryState::of_process().device_users.fetch_add(1); }
  ~DeviceCall() { MemoryState::of_process().device_users.fetch_sub(1); }
  DeviceCall(const DeviceCall&) = delete;
  DeviceCall& operator=(const DeviceCall&) = delete;
};

/// The memory is accessible from now on, until the same number of calls of end_device_use().
inline void begin_device_use() {
  MemoryState::of_process().device_users.fetch_add(1);
  if (global_heap().is_closed()) global_heap().open();
}
inline void end_device_use() {
  MemoryState::of_process().device_users.fetch_sub(1);
}

/// Whether a call, a launch or work of a stream may use it now.
inline bool device_memory_is_used() {
  return MemoryState::of_process().device_users.load() != 0;
}

}  // namespace warpfiber::memory
