// SPDX-License-Identifier: Apache-2.0
//
// The sentence declared in limit_text.hpp: how many blocks fit, and of which resource they take how much.
#include "device/limit_text.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "base/text.hpp"

namespace warpfiber::device {
namespace {

// How much one block takes of a resource that has `total`.
struct Share {
  std::uint64_t each;
  std::uint64_t total;
  bool bytes = false;
};

Share shared_share(const DeviceModel& device, const KernelAttributes& kernel, const Occupancy& o,
                   std::size_t dynamic_shared) {
  const std::uint64_t each = kernel.static_shared + dynamic_shared;
  const std::uint64_t allowed = device.shared_per_block_optin;
  if (o.blocks_per_sm != 0)
    return {each, o.shared_per_sm - std::uint64_t{o.blocks_per_sm} * device.shared_reserved_per_block, true};
  return {each, std::min<std::uint64_t>(allowed, kernel.static_shared + max_dynamic_shared(device, kernel)), true};
}

Share threads_share(const DeviceModel& device, const Occupancy& o) {
  return {std::uint64_t{o.warps_per_block} * device.warp_size, device.max_threads_per_sm};
}

Share share_of_limit(const DeviceModel& device, const KernelAttributes& kernel, const Occupancy& o,
                     unsigned block_threads, std::size_t dynamic_shared) {
  switch (o.limit) {
    case OccupancyLimit::block_size: return {block_threads, device.max_threads_per_block};
    case OccupancyLimit::threads: return threads_share(device, o);
    case OccupancyLimit::blocks: return {1, device.max_blocks_per_sm};
    case OccupancyLimit::registers: return {o.registers_per_block, device.registers_per_sm};
    case OccupancyLimit::shared_memory: return shared_share(device, kernel, o, dynamic_shared);
  }
  return {};
}

std::string amounts(const Share& share) {
  constexpr std::uint64_t kKiB = 1024;
  if (!share.bytes) return fmt::format("{} of {}", base::thousands(share.each), base::thousands(share.total));
  if (share.each % kKiB == 0 && share.total % kKiB == 0)
    return fmt::format("{} of {} KiB", base::thousands(share.each / kKiB), base::thousands(share.total / kKiB));
  return fmt::format("{} of {} bytes", base::thousands(share.each), base::thousands(share.total));
}

std::string fitting(unsigned blocks) {
  if (blocks == 0) return "no block fits an SM";
  if (blocks == 1) return "one block fits an SM";
  return fmt::format("{} blocks fit an SM", blocks);
}

}  // namespace

std::string device_text(const DeviceModel& device) {
  return fmt::format("{} (model)", device.name);
}

std::string describe_limit(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_threads,
                           std::size_t dynamic_shared) {
  const Occupancy o = occupancy(device, kernel, block_threads, dynamic_shared);
  const std::string times = o.blocks_per_sm > 1 ? fmt::format("{} × ", o.blocks_per_sm) : std::string();
  return fmt::format("{} ({}: {}{})", fitting(o.blocks_per_sm), limit_name(o.limit), times,
                     amounts(share_of_limit(device, kernel, o, block_threads, dynamic_shared)));
}

}  // namespace warpfiber::device
