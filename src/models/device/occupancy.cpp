// SPDX-License-Identifier: Apache-2.0
//
// How many blocks fit an SM: one function per resource, and the least of their answers.
// The rules are those of the toolkit's cuda_occupancy.h (CUDA 13.0), which crosscheck_device compares against: warps,
// not threads, are allocated; registers go to warps in units; a block's register check counts its warps rounded up to
// all sub-partitions; from compute capability 8.0 on the driver keeps some shared memory of each block for itself.
#include <algorithm>
#include <cstdint>

#include <warpfiber/occupancy.hpp>

namespace warpfiber {
namespace {

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

constexpr unsigned as_blocks(std::uint64_t blocks) {
  return static_cast<unsigned>(std::min<std::uint64_t>(blocks, Occupancy::kUnlimited));
}

unsigned blocks_by_threads(const DeviceModel& device, unsigned block_threads, unsigned warps_per_block) {
  if (block_threads == 0 || block_threads > device.max_threads_per_block) return 0;
  return device.max_warps_per_sm() / warps_per_block;
}

std::uint64_t registers_per_warp(const DeviceModel& device, unsigned registers_per_thread) {
  return round_up(std::uint64_t{registers_per_thread} * device.warp_size, device.register_allocation_unit);
}

unsigned blocks_by_registers(const DeviceModel& device, unsigned registers_per_thread, unsigned warps_per_block) {
  if (registers_per_thread == 0 || warps_per_block == 0) return Occupancy::kUnlimited;
  if (registers_per_thread > device.max_registers_per_thread) return 0;
  const std::uint64_t warp = registers_per_warp(device, registers_per_thread);
  if (warp * round_up(warps_per_block, device.sub_partitions_per_sm) > device.registers_per_block) return 0;
  const std::uint64_t warps_per_partition = device.registers_per_sm / device.sub_partitions_per_sm / warp;
  return as_blocks(warps_per_partition * device.sub_partitions_per_sm / warps_per_block);
}

// The shared memory an SM can set aside that is no less than `bytes`.
std::uint64_t carveout_for(const DeviceModel& device, std::uint64_t bytes) {
  for (unsigned i = 0; i < device.shared_carveout_count; ++i)
    if (device.shared_carveouts[i] >= bytes) return device.shared_carveouts[i];
  return device.shared_per_sm;
}

// A preference that holds less than one block is not followed.
std::uint64_t shared_per_sm(const DeviceModel& device, const KernelAttributes& kernel, std::uint64_t block_bytes) {
  if (kernel.preferred_carveout < 0) return device.shared_per_sm;
  const std::uint64_t percent = std::min<std::uint64_t>(static_cast<unsigned>(kernel.preferred_carveout), 100);
  const std::uint64_t preferred = carveout_for(device, percent * device.shared_per_sm / 100);
  return preferred >= block_bytes ? preferred : carveout_for(device, block_bytes);
}

unsigned blocks_by_shared(const DeviceModel& device, const KernelAttributes& kernel, std::size_t dynamic_shared,
                          Occupancy& result) {
  if (dynamic_shared > max_dynamic_shared(device, kernel)) return 0;
  if (kernel.static_shared > device.shared_per_block_optin) return 0;
  if (dynamic_shared > device.shared_per_block_optin - kernel.static_shared) return 0;
  const std::uint64_t wanted = kernel.static_shared + dynamic_shared;
  result.shared_per_block = round_up(wanted + device.shared_reserved_per_block, device.shared_allocation_unit);
  result.shared_per_sm = shared_per_sm(device, kernel, result.shared_per_block);
  if (result.shared_per_block == 0) return Occupancy::kUnlimited;
  return as_blocks(result.shared_per_sm / result.shared_per_block);
}

// Where several resources admit equally few, the one the kernel's author can do most about; registers come late because
// the default number of them is an assumption that just fills an SM.
OccupancyLimit binding_limit(const Occupancy& o, bool block_too_large) {
  if (block_too_large) return OccupancyLimit::block_size;
  if (o.by_shared == o.blocks_per_sm) return OccupancyLimit::shared_memory;
  if (o.by_threads == o.blocks_per_sm) return OccupancyLimit::threads;
  if (o.by_registers == o.blocks_per_sm) return OccupancyLimit::registers;
  return OccupancyLimit::blocks;
}

}  // namespace

const char* limit_name(OccupancyLimit limit) noexcept {
  switch (limit) {
    case OccupancyLimit::block_size: return "threads per block";
    case OccupancyLimit::threads: return "threads";
    case OccupancyLimit::blocks: return "blocks";
    case OccupancyLimit::registers: return "registers";
    case OccupancyLimit::shared_memory: return "shared memory";
  }
  return "";
}

std::size_t max_dynamic_shared(const DeviceModel& device, const KernelAttributes& kernel) noexcept {
  if (kernel.max_dynamic_shared != KernelAttributes::kDefaultDynamicShared) return kernel.max_dynamic_shared;
  return device.shared_per_block - std::min<std::size_t>(kernel.static_shared, device.shared_per_block);
}

Occupancy occupancy(const DeviceModel& device, const KernelAttributes& kernel, unsigned block_threads,
                    std::size_t dynamic_shared) noexcept {
  Occupancy result;
  result.warps_per_block = static_cast<unsigned>(round_up(block_threads, device.warp_size) / device.warp_size);
  result.registers_per_block = registers_per_warp(device, kernel.registers_per_thread) * result.warps_per_block;
  result.by_threads = blocks_by_threads(device, block_threads, result.warps_per_block);
  result.by_blocks = device.max_blocks_per_sm;
  result.by_registers = blocks_by_registers(device, kernel.registers_per_thread, result.warps_per_block);
  result.by_shared = blocks_by_shared(device, kernel, dynamic_shared, result);
  result.blocks_per_sm = std::min({result.by_threads, result.by_blocks, result.by_registers, result.by_shared});
  result.limit = binding_limit(result, result.by_threads == 0);
  return result;
}

}  // namespace warpfiber
