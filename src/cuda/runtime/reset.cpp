// SPDX-License-Identifier: Apache-2.0
//
// Streams end before their memory is freed, and devices before the services that they need.
#include "runtime/reset.hpp"

#include "device_memory/arrays.hpp"
#include "device_memory/copied_back.hpp"
#include "device_memory/pools.hpp"
#include "device_memory/state/device_memory_state.hpp"
#include "device_memory/table.hpp"
#include "launches/kernels/kernel_attributes.hpp"
#include "launches/state/launches_state.hpp"
#include "memory/global_heap.hpp"
#include "memory/kernel_heap.hpp"
#include "process/current_device.hpp"
#include "process/device_errors.hpp"
#include "process/devices/settings.hpp"
#include "process/explain.hpp"
#include "process/last_error.hpp"
#include "process/process_state.hpp"
#include "process/variables.hpp"
#include "record/diagnosis.hpp"
#include "runtime/leaks.hpp"
#include "runtime/state/runtime_state.hpp"
#include "streams/event.hpp"
#include "streams/state/streams_state.hpp"
#include "streams/streams.hpp"

namespace warpfiber::runtime {

void release_all(int device) {
  device_memory::forget_arrays(device);
  device_memory::forget_pools(device);
  memory::forget_heap(device);
  memory::global_heap().give_back_kept();
  device_memory::release_blocks(device);
}

Error reset_device() {
  const int device = process::current_device();
  // What is left of a device that has failed is thrown away.
  if (streams::synchronize_device(device) == Error::success) device_memory::all_managed_goes();
  report_leaks(record::Leak::End::device_reset, device);
  streams::end_streams(device);
  streams::end_events(device);
  process::forget_device_errors(device);
  release_all(device);
  process::forget_settings(device);
  process::reset_variables(device);
  return Error::success;
}

void reset_process() {
  for (int device = 0; device < process::device_count(); ++device) {
    static_cast<void>(process::set_current_device(device));
    static_cast<void>(reset_device());
  }
  static_cast<void>(process::set_current_device(0));
  static_cast<void>(process::take_last_error());
  process::forget_explanation();
  launches::reset_kernel_attributes();
  streams::StreamsState::of_process().reset();  // first: it ends its threads, which use the others
  device_memory::DeviceMemoryState::of_process().reset();
  RuntimeState::of_process().reset();
  launches::LaunchesState::of_process().reset();
  process::ProcessState::of_process().reset();  // last: the session
}

}  // namespace warpfiber::runtime
