// SPDX-License-Identifier: Apache-2.0
//
// Finds the resource that is used up first, and the share of it that a block takes.
#include "device/limit.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace warpfiber::device {
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
