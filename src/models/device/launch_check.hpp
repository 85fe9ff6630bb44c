// SPDX-License-Identifier: Apache-2.0
// Whether a device accepts a launch: CUDA 13's error code, and the limit, the request and the device as a reason.
// Whether the kernel is null is for the caller to check, before this. Nothing is run, reserved or printed here.
#pragma once

#include <warpfiber/device.hpp>
#include <warpfiber/error.hpp>
#include <warpfiber/occupancy.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/index.hpp"
#include "record/reason.hpp"

namespace warpfiber::device {

/// What a launch asks for. Extents are as the caller gave them, zeroes included.
struct LaunchShape {
  base::Triple grid{1, 1, 1};     // in blocks
  base::Triple block{1, 1, 1};    // in threads
  base::Triple cluster{0, 0, 0};  // in blocks; all zero: not given, the kernel's own or none
  std::size_t dynamic_shared = 0;
  bool cooperative = false;
};

/// The answer; there is no reason exactly where the launch is accepted.
struct LaunchCheck {
  Error error = Error::success;
  record::Reason reason{};

  bool ok() const { return error == Error::success; }
};

/// Accepts or refuses a launch. Where several things are wrong, the code is the one CUDA would give.
LaunchCheck check_launch(const DeviceModel& device, const KernelAttributes& kernel, const LaunchShape& shape);

/// Accepts or refuses `bytes` as a kernel's max_dynamic_shared: cudaFuncAttributeMaxDynamicSharedMemorySize.
LaunchCheck check_max_dynamic_shared(const DeviceModel& device, const KernelAttributes& kernel, std::size_t bytes);

/// The cluster an accepted launch runs with: the given one, the kernel's, or one block.
base::Triple effective_cluster(const KernelAttributes& kernel, const LaunchShape& shape);

/// How many blocks of an accepted launch are resident at the same time; of clusters, whole ones.
std::uint64_t resident_blocks(const DeviceModel& device, const KernelAttributes& kernel, const LaunchShape& shape);

/// "H200 (model)": what messages call a device, so that the model is not taken for the hardware.
std::string device_text(const DeviceModel& device);

/// Why no further block fits an SM, for launch errors and hang reports: how many blocks fit, and of which resource they
/// take how much. As a text "one block fits an SM (shared memory: 160
/// of 227 KiB)", "2 blocks fit an SM (registers: 2 × 32,768 of 65,536)" or "no block fits an SM (threads per block:
/// 2,048 of 1,024)". Shared memory is counted without what the driver keeps.
record::Reason limit_of(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_threads,
                        std::size_t dynamic_shared);

}  // namespace warpfiber::device
