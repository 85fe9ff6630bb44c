// SPDX-License-Identifier: Apache-2.0
//
// What follows from blocks per SM: clusters, cooperative grids, block sizes, shared memory that is left.
// Pure functions over occupancy(); clusters also need the SMs of each GPC, because a cluster never leaves one
// (CUDA programming guide, thread block clusters). An H200's answers, in
// tests/unit/models/device/h200_answers_test.cpp, show what the guide does not say: blocks of a cluster are on
// different SMs, and an SM holds 8 blocks of clusters at most.
#include <algorithm>
#include <cstdint>

#include <warpfiber/occupancy.hpp>

#include "base/index.hpp"

namespace warpfiber {
namespace {

constexpr unsigned round_down(std::uint64_t value, unsigned unit) {
  return static_cast<unsigned>(value / unit * unit);
}

unsigned threads_by_registers(const DeviceModel& device, const KernelAttributes& kernel) {
  KernelAttributes registers_only;
  registers_only.registers_per_thread = kernel.registers_per_thread;
  for (unsigned threads = device.max_threads_per_block; threads >= device.warp_size; threads -= device.warp_size)
    if (occupancy(device, registers_only, threads, 0).by_registers != 0) return threads;
  return 0;
}

bool allows_cluster(const DeviceModel& device, const KernelAttributes& kernel, unsigned cluster_blocks) {
  if (cluster_blocks <= std::max(1u, device.max_cluster_blocks_portable)) return cluster_blocks != 0;
  return kernel.non_portable_cluster && device.has_clusters();
}

/// Clusters that the SMs of the device hold, whether the kernel may have them or not.
std::uint64_t clusters_held(const DeviceModel& device, const KernelAttributes& kernel, unsigned cluster_blocks,
                            unsigned block_threads, std::size_t dynamic_shared) {
  std::uint64_t per_sm = occupancy(device, kernel, block_threads, dynamic_shared).blocks_per_sm;
  if (device.max_cluster_blocks_per_sm != 0) per_sm = std::min<std::uint64_t>(per_sm, device.max_cluster_blocks_per_sm);
  const auto held_by = [&](unsigned sms) { return cluster_blocks <= sms ? per_sm * sms / cluster_blocks : 0; };
  if (device.gpc_count == 0) return held_by(device.sm_count);
  std::uint64_t clusters = 0;
  for (unsigned i = 0; i < device.gpc_count; ++i) clusters += held_by(device.gpc_sms[i]);
  return clusters;
}

}  // namespace

unsigned max_block_threads(const DeviceModel& device, const KernelAttributes& kernel) noexcept {
  const unsigned bound =
      kernel.max_threads_per_block == 0 ? device.max_threads_per_block : kernel.max_threads_per_block;
  return std::min({bound, device.max_threads_per_block, threads_by_registers(device, kernel)});
}

std::uint64_t max_cooperative_blocks(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_threads,
                                     std::size_t dynamic_shared) noexcept {
  return std::uint64_t{occupancy(device, kernel, block_threads, dynamic_shared).blocks_per_sm} * device.sm_count;
}

unsigned max_cluster_blocks(const DeviceModel& device, const KernelAttributes& kernel) noexcept {
  return kernel.non_portable_cluster ? device.max_cluster_blocks : device.max_cluster_blocks_portable;
}

unsigned max_active_clusters(const DeviceModel& device, const KernelAttributes& kernel, unsigned cluster_blocks,
                             unsigned block_threads, std::size_t dynamic_shared) noexcept {
  if (!allows_cluster(device, kernel, cluster_blocks)) return 0;
  const auto own = base::checked_volume(base::Triple{kernel.cluster_x, kernel.cluster_y, kernel.cluster_z});
  if (own != 0 && own != cluster_blocks) return 0;
  return static_cast<unsigned>(clusters_held(device, kernel, cluster_blocks, block_threads, dynamic_shared));
}

unsigned max_potential_cluster_blocks(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_threads,
                                      std::size_t dynamic_shared) noexcept {
  unsigned blocks = max_cluster_blocks(device, kernel);
  while (blocks > 0 && clusters_held(device, kernel, blocks, block_threads, dynamic_shared) == 0) --blocks;
  return blocks;
}

std::size_t available_dynamic_shared(const DeviceModel& device, const KernelAttributes& kernel, unsigned blocks_per_sm,
                                     unsigned block_threads) noexcept {
  const Occupancy without = occupancy(device, kernel, block_threads, 0);
  if (blocks_per_sm == 0 || without.blocks_per_sm < blocks_per_sm) return 0;
  const std::uint64_t available = device.shared_per_block_optin - kernel.static_shared;
  const std::uint64_t most = std::min<std::uint64_t>(max_dynamic_shared(device, kernel), available);
  if (blocks_per_sm == 1) return most;  // whatever carve-out the kernel prefers
  const std::uint64_t share = round_down(without.shared_per_sm / blocks_per_sm, device.shared_allocation_unit);
  return std::min(share - std::min<std::uint64_t>(share, kernel.static_shared), most);
}

namespace detail {

BlockSizeSearch::BlockSizeSearch(const DeviceModel& the_device, const KernelAttributes& the_kernel,
                                 unsigned block_limit) noexcept
    : device(the_device), kernel(the_kernel), limit(max_block_threads(the_device, the_kernel)) {
  if (block_limit != 0) limit = std::min(limit, block_limit);
}

unsigned BlockSizeSearch::next(unsigned block) const noexcept {
  if (best_threads == device.max_threads_per_sm) return 0;
  return round_down(block - 1, device.warp_size);
}

void BlockSizeSearch::consider(unsigned block, std::size_t dynamic_shared) noexcept {
  const unsigned blocks_per_sm = occupancy(device, kernel, block, dynamic_shared).blocks_per_sm;
  const unsigned threads = blocks_per_sm * block;
  if (threads <= best_threads) return;
  best_threads = threads;
  suggestion = {blocks_per_sm * device.sm_count, block};
}

}  // namespace detail

LaunchSuggestion potential_block_size(const DeviceModel& device, const KernelAttributes& kernel,
                                      std::size_t dynamic_shared, unsigned block_limit) noexcept {
  return potential_block_size_variable(
      device, kernel, [dynamic_shared](unsigned) { return dynamic_shared; }, block_limit);
}

}  // namespace warpfiber
