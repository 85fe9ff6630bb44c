// SPDX-License-Identifier: Apache-2.0
// Which device the calling OS thread works with, and which devices there are. All are of the session's model. Any
// thread may call.
#pragma once

#include <warpfiber/device.hpp>
#include <warpfiber/error.hpp>

namespace warpfiber::process {

/// How many devices the program sees, and whether `device` is one of them.
int device_count();
bool is_device(int device);

/// The number in the machine of a device that the program sees.
int machine_number(int device);

/// invalid_device, with the reason.
Error no_such_device(int device);

/// What keeps every call from going on that needs a device: CUDA_VISIBLE_DEVICES leaves none visible (no_device), or
/// names one twice (invalid_device, as on a device). check_devices() gives the reason, too.
Error device_list_error();
Error check_devices();

/// 0 until the thread chooses another.
int current_device();
/// Its primary context becomes current.
Error set_current_device(int device);
/// The calling thread has called the runtime, which makes the primary context of its device current, unless one is.
void use_primary_context();

const DeviceModel& model_of(int device);

}  // namespace warpfiber::process
