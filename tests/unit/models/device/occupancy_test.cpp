// SPDX-License-Identifier: Apache-2.0
//
// Blocks per SM against what an H200 answered (the occupancy calls of CUDA 13.0 on trivial kernels), against figures
// others have published, and against the rules of the programming guide. crosscheck_device compares far more cases with
// the toolkit's own calculator, where a toolkit is installed.
#include <cstddef>
#include <string>

#include <warpfiber/occupancy.hpp>

#include "support/catch.hpp"

using warpfiber::DeviceModel;
using warpfiber::find_device;
using warpfiber::KernelAttributes;
using warpfiber::Occupancy;
using warpfiber::OccupancyLimit;

namespace {

constexpr std::size_t kKiB = 1024;

const DeviceModel& h200() {
  return *find_device("H200");
}

KernelAttributes with_registers(unsigned registers) {
  KernelAttributes kernel;
  kernel.registers_per_thread = registers;
  return kernel;
}

KernelAttributes with_shared_limit(std::size_t bytes) {
  KernelAttributes kernel;
  kernel.max_dynamic_shared = bytes;
  return kernel;
}

unsigned blocks(const DeviceModel& device, const KernelAttributes& kernel, unsigned threads, std::size_t dynamic = 0) {
  return occupancy(device, kernel, threads, dynamic).blocks_per_sm;
}

}  // namespace

TEST_CASE("an H200 holds as many blocks of each size as the hardware says") {
  const auto [threads, expected] = GENERATE(table<unsigned, unsigned>({
      {1, 32},
      {31, 32},
      {32, 32},
      {33, 32},
      {64, 32},
      {96, 21},
      {128, 16},
      {160, 12},
      {192, 10},
      {256, 8},
      {320, 6},
      {384, 5},
      {512, 4},
      {640, 3},
      {768, 2},
      {1000, 2},
      {1024, 2},
  }));
  CAPTURE(threads);
  CHECK(blocks(h200(), {}, threads) == expected);
}

TEST_CASE("an H200 holds as many blocks for each amount of dynamic shared memory as the hardware says") {
  const auto [kib, expected] = GENERATE(table<unsigned, unsigned>({
      {0, 32}, {1, 32}, {3, 32}, {7, 28},  {8, 25},  {15, 14}, {16, 13}, {24, 9},  {32, 6},  {48, 4},
      {64, 3}, {75, 3}, {96, 2}, {100, 2}, {112, 2}, {113, 2}, {128, 1}, {160, 1}, {200, 1}, {227, 1},
  }));
  CAPTURE(kib);
  CHECK(blocks(h200(), with_shared_limit(227 * kKiB), 64, kib * kKiB) == expected);
}

TEST_CASE("static shared memory counts as the hardware counts it") {
  KernelAttributes kernel;
  kernel.static_shared = 16 * kKiB;
  CHECK(blocks(h200(), kernel, 256) == 8);
  CHECK(blocks(h200(), {}, 1024) == 2);
}

TEST_CASE("a kernel may ask for what its static shared memory leaves") {
  KernelAttributes kernel;
  CHECK(max_dynamic_shared(h200(), kernel) == 49152);
  kernel.static_shared = 16384;
  CHECK(max_dynamic_shared(h200(), kernel) == 32768);
  kernel.static_shared = 100000;
  CHECK(max_dynamic_shared(h200(), kernel) == 0);
  kernel.max_dynamic_shared = 232448;
  CHECK(max_dynamic_shared(h200(), kernel) == 232448);
}

TEST_CASE("a Quadro RTX 8000 admits the 1152 one-warp blocks that Numba documents") {
  const DeviceModel& device = *find_device("Quadro RTX 8000");
  CHECK(max_cooperative_blocks(device, {}, 32, 0) == 1152);
}

TEST_CASE("each model holds the blocks and threads of its compute capability") {
  const auto [name, one_warp_blocks, threads_of_256] = GENERATE(table<std::string, unsigned, unsigned>({
      {"V100", 32, 2048},
      {"RTX 8000", 16, 1024},
      {"A100", 32, 2048},
      {"A100 80GB", 32, 2048},
      {"RTX 3090", 16, 1536},
      {"RTX 4090", 24, 1536},
      {"H100", 32, 2048},
      {"H100 PCIe", 32, 2048},
      {"H200", 32, 2048},
      {"B200", 32, 2048},
      {"teaching", 4, 512},
  }));
  CAPTURE(name);
  const DeviceModel& device = *find_device(name);
  CHECK(blocks(device, {}, 32) == one_warp_blocks);
  CHECK(blocks(device, {}, 256) * 256 == threads_of_256);
}

TEST_CASE("each model holds one block with all the shared memory a block may have, and none with more") {
  for (const DeviceModel& device : warpfiber::device_models()) {
    CAPTURE(device.name);
    const KernelAttributes kernel = with_shared_limit(device.shared_per_block_optin);
    CHECK(blocks(device, kernel, 32, device.shared_per_block_optin) == 1);
    const Occupancy more =
        occupancy(device, with_shared_limit(~std::size_t{0} - 1), 32, device.shared_per_block_optin + 1);
    CHECK(more.blocks_per_sm == 0);
    CHECK(more.limit == OccupancyLimit::shared_memory);
  }
}

TEST_CASE("registers are given to warps in units and to a block as if its warps filled all sub-partitions") {
  // 33 registers a thread are 1,280 a warp: 12 warps on each of the 4 sub-partitions of 16,384.
  CHECK(blocks(h200(), with_registers(33), 32) == 32);
  CHECK(blocks(h200(), with_registers(33), 128) == 12);
  CHECK(blocks(h200(), with_registers(33), 1024) == 1);
  CHECK(blocks(h200(), with_registers(64), 1024) == 1);
  CHECK(blocks(h200(), with_registers(65), 1024) == 0);
  CHECK(blocks(h200(), with_registers(255), 256) == 1);
  CHECK(blocks(h200(), with_registers(255), 257) == 0);
  CHECK(blocks(h200(), with_registers(256), 32) == 0);
  CHECK(blocks(h200(), with_registers(0), 1024) == 2);
}

TEST_CASE("the default register count binds on no model") {
  for (const DeviceModel& device : warpfiber::device_models()) {
    CAPTURE(device.name);
    for (unsigned threads = 1; threads <= device.max_threads_per_block; ++threads)
      REQUIRE(blocks(device, {}, threads) == blocks(device, with_registers(0), threads));
  }
}

TEST_CASE("the resource that binds is named") {
  KernelAttributes kernel;
  CHECK(occupancy(h200(), kernel, 1024, 0).limit == OccupancyLimit::threads);
  CHECK(occupancy(h200(), kernel, 32, 0).limit == OccupancyLimit::blocks);
  CHECK(occupancy(h200(), kernel, 2048, 0).limit == OccupancyLimit::block_size);
  CHECK(occupancy(h200(), kernel, 32, 48 * kKiB).limit == OccupancyLimit::shared_memory);
  CHECK(occupancy(h200(), with_registers(128), 256, 0).limit == OccupancyLimit::registers);
  CHECK(std::string(limit_name(OccupancyLimit::shared_memory)) == "shared memory");
}

TEST_CASE("a carve-out preference limits shared memory unless one block needs more") {
  KernelAttributes kernel = with_shared_limit(227 * kKiB);
  kernel.preferred_carveout = 50;  // 114 KiB, for which the SM sets 132 KiB aside
  CHECK(occupancy(h200(), kernel, 64, 15 * kKiB).shared_per_sm == 132 * kKiB);
  CHECK(blocks(h200(), kernel, 64, 15 * kKiB) == 8);
  CHECK(blocks(h200(), kernel, 64, 160 * kKiB) == 1);
  kernel.preferred_carveout = 0;
  CHECK(blocks(h200(), kernel, 64, 7 * kKiB) == 1);
  kernel.preferred_carveout = 100;
  CHECK(blocks(h200(), kernel, 64, 7 * kKiB) == 28);
}

TEST_CASE("absurd requests are counted right, not wrapped around") {
  const std::size_t dynamic = GENERATE(~std::size_t{0}, ~std::size_t{0} - 1024, std::size_t{1} << 32);
  KernelAttributes kernel = with_shared_limit(~std::size_t{0} - 1);
  kernel.static_shared = 16 * kKiB;
  CHECK(blocks(h200(), kernel, 32, dynamic) == 0);
  CHECK(blocks(h200(), {}, ~0u) == 0);
  CHECK(blocks(h200(), {}, 0) == 0);
  CHECK(blocks(h200(), with_registers(~0u), 32) == 0);
}

TEST_CASE("other warp sizes allocate by their own warps") {
  DeviceModel device = h200();
  device.warp_size = GENERATE(1u, 7u, 16u, 33u, 64u);
  for (unsigned threads = 1; threads <= device.max_threads_per_block; ++threads) {
    const unsigned warps = (threads + device.warp_size - 1) / device.warp_size;
    REQUIRE(occupancy(device, with_registers(0), threads, 0).by_threads == device.max_warps_per_sm() / warps);
  }
}
