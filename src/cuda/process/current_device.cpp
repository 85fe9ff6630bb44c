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
  return static_cast<int>(model_settings().visible.numbers.size());
}

bool is_device(int device) {
  return device >= 0 && device < device_count();
}

int current_device() {
  return HostThreadState::of_caller().device;
}

int machine_number(int device) {
  return model_settings().visible.numbers[static_cast<std::size_t>(device)];
}

Error no_such_device(int device) {
  const ModelSettings& of = model_settings();
  const record::Quantity there{of.count, "device"};
  if (!of.visible_text.has_value()) return fail(Error::invalid_device, {ReasonKind::device_unknown, device, there});
  return fail(Error::invalid_device, {ReasonKind::device_not_visible, device, *of.visible_text,
                                      record::Quantity{of.visible.numbers.size(), "device"}, there});
}

Error device_list_error() {
  const VisibleDevices& visible = model_settings().visible;
  if (visible.named_twice) return Error::invalid_device;
  return visible.numbers.empty() ? Error::no_device : Error::success;
}

Error check_devices() {
  const Error error = device_list_error();
  if (error == Error::success) return error;
  const ModelSettings& of = model_settings();
  const std::string& list = of.visible_text.value();
  // Whoever started the program chose the devices: no call of the program is at fault. These two lists hide all devices
  // on purpose; any other is taken for one that was meant for other devices.
  if (!list.empty() && list != "-1") concerns_user();
  if (of.visible.named_twice) {
    return from_earlier(fail(error, {ReasonKind::device_named_twice, list}, ReasonKind::name_devices_once));
  }
  return from_earlier(fail(error, {ReasonKind::no_device_visible, list, record::Quantity{of.count, "device"}},
                           ReasonKind::list_fits_no_device));
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
