// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber occupancy`: what cudaOccupancyMaxActiveBlocksPerMultiprocessor says of a kernel on a device model, with
// the limit that stops the next block and what follows for a cooperative grid.
#include <fmt/format.h>

#include <warpfiber/device_file.hpp>
#include <warpfiber/occupancy.hpp>

#include "tools/subcommands.hpp"

namespace warpfiber::tools {
namespace {

std::string describe(const DeviceModel& device, const OccupancyRequest& request) {
  // The question is what fits, so the kernel counts as one that has asked for all the shared memory there is.
  KernelAttributes kernel = request.kernel;
  kernel.max_dynamic_shared = device.shared_per_block_optin;
  const Occupancy found = warpfiber::occupancy(device, kernel, request.block, request.dynamic_shared);
  const unsigned warps = found.blocks_per_sm * found.warps_per_block;
  return fmt::format(
      "blocks of {} threads on {}\n"
      "  blocks on an SM     {:>8}  limited by {}\n"
      "  warps on an SM      {:>8}  of {}\n"
      "  cooperative launch  {:>8}  blocks at most\n",
      request.block, device.name, found.blocks_per_sm, limit_name(found.limit), warps, device.max_warps_per_sm(),
      max_cooperative_blocks(device, kernel, request.block, request.dynamic_shared));
}

}  // namespace

Reply occupancy(const OccupancyRequest& request) {
  const DeviceLoad load =
      request.device.empty() ? DeviceLoad{default_device(), Error::success, ""} : choose_device(request.device);
  return load.ok() ? Reply{0, describe(load.model, request), ""} : Reply{1, "", "warpfiber: " + load.message + "\n"};
}

}  // namespace warpfiber::tools
