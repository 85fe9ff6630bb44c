// SPDX-License-Identifier: Apache-2.0
//
// One number of each host thread. The number of devices and their model come from the environment.
#include "process/current_device.hpp"

#include <atomic>
#include <string>

#include "base/text.hpp"
#include "process/explain.hpp"
#include "process/host_thread.hpp"
#include "process/process_state.hpp"
#include "process/settings/devices.hpp"
#include "record/reason.hpp"

namespace warpfiber::process {

int device_count() {
  return static_cast<int>(model_settings().count);
}

bool is_device(int device) {
  return device >= 0 && device < device_count();
}

int current_device() {
  return HostThreadState::of_caller().device;
}

Error no_such_device(int device) {
  return fail(Error::invalid_device,
              {ReasonKind::device_unknown, device, record::Quantity{model_settings().count, "device"}});
}

Error set_current_device(int device) {
  if (!is_device(device)) return no_such_device(device);
  HostThreadState::of_caller().device = device;
  HostThreadState::of_caller().chose_primary = true;
  use_primary_context();
  return Error::success;
}

void use_primary_context() {
  ProcessState::of_process().driver_is_initialised.store(true, std::memory_order_relaxed);
  HostThreadState::of_caller().uses_primary = true;
}

const DeviceModel& model_of(int) {
  return model_settings().model;
}

}  // namespace warpfiber::process
