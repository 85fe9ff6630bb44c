// SPDX-License-Identifier: Apache-2.0
//
// The sentence that launch errors and hang reports use for why no further block fits an SM. Pure functions of the
// model's numbers; nothing here prints.
#pragma once

#include <cstddef>
#include <string>

#include <warpfiber/device.hpp>
#include <warpfiber/occupancy.hpp>

namespace warpfiber::device {

/// "H200 (model)": what messages call a device, so that nobody takes the model for the hardware.
std::string device_text(const DeviceModel& device);

/// "one block fits an SM (shared memory: 160 of 227 KiB)", "2 blocks fit an SM (registers: 2 × 32,768 of 65,536)",
/// "no block fits an SM (threads per block: 2,048 of 1,024)". Shared memory is counted without what the driver keeps.
std::string describe_limit(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_threads,
                           std::size_t dynamic_shared);

}  // namespace warpfiber::device
