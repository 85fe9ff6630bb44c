// SPDX-License-Identifier: Apache-2.0
//
// Why no further block fits an SM, for launch errors and hang reports. Pure functions of the
// model's numbers; nothing here prints.
#pragma once

#include <cstddef>
#include <string>

#include <warpfiber/device.hpp>
#include <warpfiber/occupancy.hpp>

#include "record/reason.hpp"

namespace warpfiber::device {

/// "H200 (model)": what messages call a device, so that nobody takes the model for the hardware.
std::string device_text(const DeviceModel& device);

/// How many blocks fit, and of which resource they take how much: as a text "one block fits an SM (shared memory: 160
/// of 227 KiB)", "2 blocks fit an SM (registers: 2 × 32,768 of 65,536)" or "no block fits an SM (threads per block:
/// 2,048 of 1,024)". Shared memory is counted without what the driver keeps.
record::Reason limit_of(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_threads,
                        std::size_t dynamic_shared);

}  // namespace warpfiber::device
