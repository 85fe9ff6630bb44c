// SPDX-License-Identifier: Apache-2.0
//
// The checks behind check_launch, one function per thing that can be wrong, in the order in which CUDA 13 notices them
// (tests/unit/device/launch_check_test.cpp has the cases an H200 answered). Products have 64 bits and are checked.
#include "device/launch_check.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "device/limit_text.hpp"

namespace warpfiber::device {
namespace {

using base::bytes_text;
using base::thousands;
using base::Triple;
using base::triple_text;

struct CheckedLaunch {
  const DeviceModel& device;
  const KernelAttributes& kernel;
  const LaunchShape& shape;
};

// The number of points, or the largest number where they are more than 64 bits can count.
std::uint64_t points(const Triple& extent) {
  return base::checked_volume(extent).value_or(~std::uint64_t{0});
}

unsigned block_threads(const CheckedLaunch& l) {
  return static_cast<unsigned>(points(l.shape.block));
}

bool has_zero(const Triple& t) {
  return t.x == 0 || t.y == 0 || t.z == 0;
}

bool exceeds(const Triple& t, const Triple& most) {
  return t.x > most.x || t.y > most.y || t.z > most.z;
}

bool divides(const Triple& part, const Triple& whole) {
  return whole.x % part.x == 0 && whole.y % part.y == 0 && whole.z % part.z == 0;
}

LaunchCheck refuse(Error error, std::string message) {
  return {error, std::move(message)};
}

LaunchCheck check_grid(const CheckedLaunch& l) {
  const Triple& grid = l.shape.grid;
  if (has_zero(grid))
    return refuse(Error::invalid_value,
                  fmt::format("grid of {} has no blocks; every dimension must be at least 1", triple_text(grid)));
  const Triple most{l.device.max_grid_x, l.device.max_grid_y, l.device.max_grid_z};
  if (exceeds(grid, most))
    return refuse(Error::invalid_value, fmt::format("grid of {} blocks; {} allows {}", triple_text(grid),
                                                    device_text(l.device), triple_text(most)));
  return {};
}

LaunchCheck check_block(const CheckedLaunch& l) {
  const Triple& block = l.shape.block;
  if (has_zero(block))
    return refuse(Error::invalid_value,
                  fmt::format("block of {} has no threads; every dimension must be at least 1", triple_text(block)));
  const std::uint64_t threads = points(block);
  if (threads > l.device.max_threads_per_block)
    return refuse(Error::invalid_value,
                  fmt::format("block of {} = {} threads; {} allows {} per block", triple_text(block),
                              thousands(threads), device_text(l.device), thousands(l.device.max_threads_per_block)));
  const Triple most{l.device.max_block_x, l.device.max_block_y, l.device.max_block_z};
  if (exceeds(block, most))
    return refuse(Error::invalid_value, fmt::format("block of {} threads; {} allows {}", triple_text(block),
                                                    device_text(l.device), triple_text(most)));
  return {};
}

LaunchCheck check_kernel_bounds(const CheckedLaunch& l) {
  const unsigned bound = l.kernel.max_threads_per_block;
  if (bound == 0 || block_threads(l) <= bound) return {};
  return refuse(Error::invalid_value,
                fmt::format("block of {} = {} threads; the kernel's __launch_bounds__ allow {}",
                            triple_text(l.shape.block), thousands(block_threads(l)), thousands(bound)));
}

LaunchCheck check_registers(const CheckedLaunch& l) {
  const Occupancy o = occupancy(l.device, l.kernel, block_threads(l), 0);
  if (o.by_registers != 0) return {};
  return refuse(
      Error::launch_out_of_resources,
      fmt::format("block of {} threads with {} registers each = {} registers; {} allows {} per thread and {} "
                  "per block",
                  thousands(block_threads(l)), l.kernel.registers_per_thread, thousands(o.registers_per_block),
                  device_text(l.device), l.device.max_registers_per_thread, thousands(l.device.registers_per_block)));
}

LaunchCheck check_cluster_extent(const CheckedLaunch& l, const Triple& cluster) {
  if (has_zero(cluster))
    return refuse(Error::invalid_cluster_size, fmt::format("cluster of {} has no blocks; every dimension must be at "
                                                           "least 1",
                                                           triple_text(cluster)));
  const Triple own{l.kernel.cluster_x, l.kernel.cluster_y, l.kernel.cluster_z};
  if (!has_zero(own) && !(cluster == own))
    return refuse(Error::invalid_cluster_size, fmt::format("cluster of {}; the kernel's __cluster_dims__ are {}",
                                                           triple_text(cluster), triple_text(own)));
  if (!divides(cluster, l.shape.grid))
    return refuse(Error::invalid_cluster_size, fmt::format("cluster of {} does not divide the grid of {}",
                                                           triple_text(cluster), triple_text(l.shape.grid)));
  return {};
}

std::string cluster_limit_text(const CheckedLaunch& l) {
  const std::string allowed =
      fmt::format("{} allows {}", device_text(l.device), max_cluster_blocks(l.device, l.kernel));
  if (l.kernel.non_portable_cluster || l.device.max_cluster_blocks == l.device.max_cluster_blocks_portable)
    return allowed;
  return fmt::format("{}, {} with cudaFuncAttributeNonPortableClusterSizeAllowed", allowed,
                     l.device.max_cluster_blocks);
}

LaunchCheck check_cluster(const CheckedLaunch& l) {
  const Triple cluster = effective_cluster(l.kernel, l.shape);
  if (LaunchCheck check = check_cluster_extent(l, cluster); !check.ok()) return check;
  const std::uint64_t blocks = points(cluster);
  if (blocks == 1) return {};
  if (!l.device.has_clusters())
    return refuse(Error::invalid_cluster_size,
                  fmt::format("cluster of {}; {} does not support clusters, which need compute capability 9.0",
                              triple_text(cluster), device_text(l.device)));
  if (blocks > max_cluster_blocks(l.device, l.kernel))
    return refuse(Error::invalid_cluster_size, fmt::format("cluster of {} = {} blocks; {}", triple_text(cluster),
                                                           thousands(blocks), cluster_limit_text(l)));
  return {};
}

std::string raise_text(const CheckedLaunch& l, std::size_t most) {
  if (l.kernel.max_dynamic_shared == KernelAttributes::kDefaultDynamicShared)
    return fmt::format(
        "{} allows {} unless the kernel raises its limit "
        "(cudaFuncAttributeMaxDynamicSharedMemorySize, at most {})",
        device_text(l.device), bytes_text(max_dynamic_shared(l.device, l.kernel)), bytes_text(most));
  return fmt::format("the kernel has set its limit to {}; {} allows {}", bytes_text(l.kernel.max_dynamic_shared),
                     device_text(l.device), bytes_text(most));
}

LaunchCheck check_shared(const CheckedLaunch& l) {
  const std::size_t own = l.kernel.static_shared;
  const Error code = l.shape.cooperative ? Error::cooperative_launch_too_large : Error::invalid_value;
  if (own > l.device.shared_per_block_optin)
    return refuse(Error::invalid_value,
                  fmt::format("{} of static shared memory; {} allows {} per block", bytes_text(own),
                              device_text(l.device), bytes_text(l.device.shared_per_block_optin)));
  const std::size_t most = l.device.shared_per_block_optin - own;
  if (l.shape.dynamic_shared > max_dynamic_shared(l.device, l.kernel))
    return refuse(
        code, fmt::format("{} of dynamic shared memory; {}", bytes_text(l.shape.dynamic_shared), raise_text(l, most)));
  if (l.shape.dynamic_shared > most)
    return refuse(code, fmt::format("{} of dynamic shared memory plus {} of static; {} allows {} per block",
                                    bytes_text(l.shape.dynamic_shared), bytes_text(own), device_text(l.device),
                                    bytes_text(l.device.shared_per_block_optin)));
  return {};
}

// All earlier checks passed, so an SM holds a block.
LaunchCheck check_cluster_fits(const CheckedLaunch& l) {
  const Triple cluster = effective_cluster(l.kernel, l.shape);
  const DeviceModel& d = l.device;
  const unsigned largest = d.gpc_count == 0 ? d.sm_count : *std::max_element(d.gpc_sms, d.gpc_sms + d.gpc_count);
  if (points(cluster) <= largest) return {};
  return refuse(Error::invalid_cluster_size,
                fmt::format("cluster of {} = {} blocks, each on an SM of its own; the largest GPC of {} has {}",
                            triple_text(cluster), points(cluster), device_text(d), base::counted(largest, "SM")));
}

LaunchCheck check_cooperative(const CheckedLaunch& l) {
  if (!l.shape.cooperative) return {};
  if (!l.device.cooperative_launch)
    return refuse(Error::not_supported, fmt::format("{} does not support cooperative launches", device_text(l.device)));
  const std::uint64_t cluster_blocks = points(effective_cluster(l.kernel, l.shape));
  const std::uint64_t resident = resident_blocks(l.device, l.kernel, l.shape);
  const std::uint64_t blocks = points(l.shape.grid);
  if (blocks <= resident) return {};
  const std::string clusters =
      cluster_blocks == 1 ? std::string() : fmt::format(", in clusters of {}", thousands(cluster_blocks));
  return refuse(
      Error::cooperative_launch_too_large,
      fmt::format("cooperative grid of {} = {} blocks; {} holds {} at a time{}: {}, of which it has {}",
                  triple_text(l.shape.grid), thousands(blocks), device_text(l.device), thousands(resident), clusters,
                  describe_limit(l.device, l.kernel, block_threads(l), l.shape.dynamic_shared), l.device.sm_count));
}

// The order in which CUDA notices what is wrong.
constexpr LaunchCheck (*kChecks[])(const CheckedLaunch&) = {
    check_grid,      check_block,  check_cluster,      check_kernel_bounds,
    check_registers, check_shared, check_cluster_fits, check_cooperative,
};

}  // namespace

base::Triple effective_cluster(const KernelAttributes& kernel, const LaunchShape& shape) {
  if (!(shape.cluster == Triple{0, 0, 0})) return shape.cluster;
  const Triple own{kernel.cluster_x, kernel.cluster_y, kernel.cluster_z};
  return has_zero(own) ? Triple{1, 1, 1} : own;
}

std::uint64_t resident_blocks(const DeviceModel& device, const KernelAttributes& kernel, const LaunchShape& shape) {
  const auto threads = static_cast<unsigned>(points(shape.block));
  const auto cluster = static_cast<unsigned>(points(effective_cluster(kernel, shape)));
  if (cluster == 1) return max_cooperative_blocks(device, kernel, threads, shape.dynamic_shared);
  return std::uint64_t{cluster} * max_active_clusters(device, kernel, cluster, threads, shape.dynamic_shared);
}

LaunchCheck check_launch(const DeviceModel& device, const KernelAttributes& kernel, const LaunchShape& shape) {
  const CheckedLaunch launch{device, kernel, shape};
  for (const auto& check : kChecks)
    if (LaunchCheck result = check(launch); !result.ok()) return result;
  return {};
}

LaunchCheck check_max_dynamic_shared(const DeviceModel& device, const KernelAttributes& kernel, std::size_t bytes) {
  const std::size_t optin = device.shared_per_block_optin;
  if (kernel.static_shared <= optin && bytes <= optin - kernel.static_shared) return {};
  return refuse(
      Error::invalid_value,
      fmt::format("a limit of {} of dynamic shared memory plus {} of static; {} allows {} per block", bytes_text(bytes),
                  bytes_text(kernel.static_shared), device_text(device), bytes_text(optin)));
}

}  // namespace warpfiber::device
