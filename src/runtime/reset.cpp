// SPDX-License-Identifier: Apache-2.0
//
// Streams end before their memory is freed.
#include "runtime/reset.hpp"

#include "memory/global_heap.hpp"
#include "memory/kernel_heap.hpp"
#include "runtime/devices/settings.hpp"
#include "runtime/host/leaks.hpp"
#include "runtime/memory/arrays.hpp"
#include "runtime/memory/copied_back.hpp"
#include "runtime/memory/pools.hpp"
#include "runtime/memory/table.hpp"
#include "runtime/process/current_device.hpp"
#include "runtime/process/variables.hpp"
#include "runtime/streams/device.hpp"
#include "runtime/streams/event.hpp"
#include "runtime/streams/streams.hpp"

namespace warpfiber::runtime {

void release_all(int device) {
  forget_arrays(device);
  forget_pools(device);
  memory::forget_heap(device);
  memory::global_heap().give_back_kept();
  release_blocks(device);
}

Error reset_device() {
  const int device = current_device();
  // What is left of a device that has failed is thrown away.
  if (synchronize_device(device) == Error::success) all_managed_goes();
  report_leaks(record::Leak::End::device_reset, device);
  end_streams(device);
  end_events(device);
  forget_device_errors(device);
  release_all(device);
  forget_settings(device);
  reset_variables(device);
  return Error::success;
}

}  // namespace warpfiber::runtime
