// SPDX-License-Identifier: Apache-2.0
// Which devices programs find, as the environment says (session.cpp).
#pragma once

#include <warpfiber/device.hpp>

namespace warpfiber::process {

struct ModelSettings {
  DeviceModel model;   // of all of them
  unsigned count = 1;  // that CUDA programs find
};

const ModelSettings& model_settings();

}  // namespace warpfiber::process
