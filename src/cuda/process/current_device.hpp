// SPDX-License-Identifier: Apache-2.0
// Which device the calling OS thread works with, and which devices there are. All are of the session's model. Any
// thread may call.
#pragma once

#include <warpfiber/device.hpp>
#include <warpfiber/error.hpp>

namespace warpfiber::process {

/// How many devices there are, and whether `device` is one of them.
int device_count();
bool is_device(int device);

/// invalid_device, with the reason.
Error no_such_device(int device);

/// 0 until the thread chooses another.
int current_device();
/// Its primary context becomes current.
Error set_current_device(int device);
/// The calling thread has called the runtime, which makes the primary context of its device current, unless one is.
void use_primary_context();

const DeviceModel& model_of(int device);

}  // namespace warpfiber::process
