// SPDX-License-Identifier: Apache-2.0
// The checks behind check_launch, one function per thing that can be wrong, in the order in which CUDA 13 notices them
// (tests/unit/models/device/launch_check_test.cpp has the cases an H200 answered). Products have 64 bits and are
// checked.
#include "device/launch_check.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace warpfiber::device {
namespace {

using base::Triple;
using record::ByteSize;
using record::Quantity;
using record::Reason;
using record::ReasonKind;
using record::Thousands;

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

template <class... Facts>
LaunchCheck refuse(Error error, ReasonKind why, Facts&&... facts) {
  return {error, Reason(why, std::forward<Facts>(facts)...)};
}

LaunchCheck check_grid(const CheckedLaunch& l) {
  const Triple& grid = l.shape.grid;
  if (has_zero(grid)) return refuse(Error::invalid_value, ReasonKind::grid_without_blocks, grid);
  const Triple most{l.device.max_grid_x, l.device.max_grid_y, l.device.max_grid_z};
  if (exceeds(grid, most))
    return refuse(Error::invalid_value, ReasonKind::grid_too_large, grid, device_text(l.device), most);
  return {};
}

LaunchCheck check_block(const CheckedLaunch& l) {
  const Triple& block = l.shape.block;
  if (has_zero(block)) return refuse(Error::invalid_value, ReasonKind::block_without_threads, block);
  const std::uint64_t threads = points(block);
  if (threads > l.device.max_threads_per_block)
    return refuse(Error::invalid_value, ReasonKind::block_has_too_many_threads, block, Thousands{threads},
                  device_text(l.device), Thousands{l.device.max_threads_per_block});
  const Triple most{l.device.max_block_x, l.device.max_block_y, l.device.max_block_z};
  if (exceeds(block, most))
    return refuse(Error::invalid_value, ReasonKind::block_extent_too_large, block, device_text(l.device), most);
  return {};
}

LaunchCheck check_kernel_bounds(const CheckedLaunch& l) {
  const unsigned bound = l.kernel.max_threads_per_block;
  if (bound == 0 || block_threads(l) <= bound) return {};
  return refuse(Error::invalid_value, ReasonKind::launch_bounds_exceeded, l.shape.block, Thousands{block_threads(l)},
                Thousands{bound});
}

LaunchCheck check_registers(const CheckedLaunch& l) {
  const Occupancy o = occupancy(l.device, l.kernel, block_threads(l), 0);
  if (o.by_registers != 0) return {};
  return refuse(Error::launch_out_of_resources, ReasonKind::registers_exceeded, Thousands{block_threads(l)},
                l.kernel.registers_per_thread, Thousands{o.registers_per_block}, device_text(l.device),
                l.device.max_registers_per_thread, Thousands{l.device.registers_per_block});
}

LaunchCheck check_cluster_extent(const CheckedLaunch& l, const Triple& cluster) {
  if (has_zero(cluster)) return refuse(Error::invalid_cluster_size, ReasonKind::cluster_without_blocks, cluster);
  const Triple own{l.kernel.cluster_x, l.kernel.cluster_y, l.kernel.cluster_z};
  if (!has_zero(own) && !(cluster == own))
    return refuse(Error::invalid_cluster_size, ReasonKind::cluster_not_as_declared, cluster, own);
  if (!divides(cluster, l.shape.grid))
    return refuse(Error::invalid_cluster_size, ReasonKind::cluster_does_not_divide_grid, cluster, l.shape.grid);
  return {};
}

LaunchCheck refuse_large_cluster(const CheckedLaunch& l, const Triple& cluster) {
  const Thousands blocks{points(cluster)};
  const unsigned most = max_cluster_blocks(l.device, l.kernel);
  if (l.kernel.non_portable_cluster || l.device.max_cluster_blocks == l.device.max_cluster_blocks_portable)
    return refuse(Error::invalid_cluster_size, ReasonKind::cluster_too_large, cluster, blocks, device_text(l.device),
                  most);
  return refuse(Error::invalid_cluster_size, ReasonKind::cluster_not_portable, cluster, blocks, device_text(l.device),
                most, l.device.max_cluster_blocks);
}

LaunchCheck check_cluster(const CheckedLaunch& l) {
  const Triple cluster = effective_cluster(l.kernel, l.shape);
  if (LaunchCheck check = check_cluster_extent(l, cluster); !check.ok()) return check;
  const std::uint64_t blocks = points(cluster);
  if (blocks == 1) return {};
  if (!l.device.has_clusters())
    return refuse(Error::invalid_cluster_size, ReasonKind::clusters_not_supported, cluster, device_text(l.device));
  if (blocks > max_cluster_blocks(l.device, l.kernel)) return refuse_large_cluster(l, cluster);
  return {};
}

/// More dynamic shared memory than the kernel has asked for, with static shared memory left for `most`.
LaunchCheck refuse_dynamic_shared(const CheckedLaunch& l, Error code, std::size_t most) {
  const ByteSize asked{l.shape.dynamic_shared};
  if (l.kernel.max_dynamic_shared == KernelAttributes::kDefaultDynamicShared)
    return refuse(code, ReasonKind::dynamic_shared_beyond_default, asked, device_text(l.device),
                  ByteSize{max_dynamic_shared(l.device, l.kernel)}, ByteSize{most});
  return refuse(code, ReasonKind::dynamic_shared_beyond_limit, asked, ByteSize{l.kernel.max_dynamic_shared},
                device_text(l.device), ByteSize{most});
}

LaunchCheck check_shared(const CheckedLaunch& l) {
  const std::size_t own = l.kernel.static_shared;
  const Error code = l.shape.cooperative ? Error::cooperative_launch_too_large : Error::invalid_value;
  if (own > l.device.shared_per_block_optin)
    return refuse(Error::invalid_value, ReasonKind::static_shared_too_large, ByteSize{own}, device_text(l.device),
                  ByteSize{l.device.shared_per_block_optin});
  const std::size_t most = l.device.shared_per_block_optin - own;
  if (l.shape.dynamic_shared > max_dynamic_shared(l.device, l.kernel)) return refuse_dynamic_shared(l, code, most);
  if (l.shape.dynamic_shared > most)
    return refuse(code, ReasonKind::shared_too_large, ByteSize{l.shape.dynamic_shared}, ByteSize{own},
                  device_text(l.device), ByteSize{l.device.shared_per_block_optin});
  return {};
}

// All earlier checks passed, so an SM holds a block.
LaunchCheck check_cluster_fits(const CheckedLaunch& l) {
  const Triple cluster = effective_cluster(l.kernel, l.shape);
  const DeviceModel& d = l.device;
  const unsigned largest = d.gpc_count == 0 ? d.sm_count : *std::max_element(d.gpc_sms, d.gpc_sms + d.gpc_count);
  if (points(cluster) <= largest) return {};
  return refuse(Error::invalid_cluster_size, ReasonKind::cluster_larger_than_gpc, cluster, points(cluster),
                device_text(d), Quantity{largest, "SM"});
}

LaunchCheck check_cooperative(const CheckedLaunch& l) {
  if (!l.shape.cooperative) return {};
  if (!l.device.cooperative_launch)
    return refuse(Error::not_supported, ReasonKind::cooperation_not_supported, device_text(l.device));
  const std::uint64_t cluster_blocks = points(effective_cluster(l.kernel, l.shape));
  const std::uint64_t resident = resident_blocks(l.device, l.kernel, l.shape);
  const std::uint64_t blocks = points(l.shape.grid);
  if (blocks <= resident) return {};
  const Reason limit = limit_of(l.device, l.kernel, block_threads(l), l.shape.dynamic_shared);
  const auto refused = [&](ReasonKind why, const auto&... clusters) {
    return refuse(Error::cooperative_launch_too_large, why, l.shape.grid, Thousands{blocks}, device_text(l.device),
                  Thousands{resident}, clusters..., limit, l.device.sm_count);
  };
  if (cluster_blocks == 1) return refused(ReasonKind::cooperative_grid_too_large);
  return refused(ReasonKind::cooperative_clusters_too_many, Thousands{cluster_blocks});
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
  return refuse(Error::invalid_value, ReasonKind::shared_limit_too_large, ByteSize{bytes},
                ByteSize{kernel.static_shared}, device_text(device), ByteSize{optin});
}

// Finds the resource that is used up first, and the share of it that a block takes.

namespace {

using record::Reason;
using record::ReasonKind;
using record::Thousands;

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

Reason amounts(const Share& share) {
  constexpr std::uint64_t kKiB = 1024;
  const auto of = [](ReasonKind kind, std::uint64_t each, std::uint64_t total) {
    return Reason(kind, Thousands{each}, Thousands{total});
  };
  if (!share.bytes) return of(ReasonKind::share, share.each, share.total);
  if (share.each % kKiB == 0 && share.total % kKiB == 0)
    return of(ReasonKind::share_of_kib, share.each / kKiB, share.total / kKiB);
  return of(ReasonKind::share_of_bytes, share.each, share.total);
}

}  // namespace

std::string device_text(const DeviceModel& device) {
  return fmt::format("{} (model)", device.name);
}

Reason limit_of(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_threads,
                std::size_t dynamic_shared) {
  const Occupancy o = occupancy(device, kernel, block_threads, dynamic_shared);
  Reason taken = amounts(share_of_limit(device, kernel, o, block_threads, dynamic_shared));
  const char* const resource = limit_name(o.limit);
  if (o.blocks_per_sm == 0) return {ReasonKind::no_block_fits, resource, std::move(taken)};
  if (o.blocks_per_sm == 1) return {ReasonKind::one_block_fits, resource, std::move(taken)};
  return {ReasonKind::blocks_fit, o.blocks_per_sm, resource, o.blocks_per_sm, std::move(taken)};
}

}  // namespace warpfiber::device
