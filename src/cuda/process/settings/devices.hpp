// SPDX-License-Identifier: Apache-2.0
// Which devices programs find, as the environment says (session.cpp).
#pragma once

#include <warpfiber/device.hpp>

#include <optional>
#include <string>

#include "process/settings/visible_devices.hpp"

namespace warpfiber::process {

struct ModelSettings {
  DeviceModel model;   // of all of them
  unsigned count = 1;  // of the machine
  VisibleDevices visible = all_devices(1);
  std::optional<std::string> visible_text{};  // CUDA_VISIBLE_DEVICES
};

const ModelSettings& model_settings();

}  // namespace warpfiber::process
