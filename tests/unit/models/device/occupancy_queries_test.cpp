// SPDX-License-Identifier: Apache-2.0
//
// What follows from blocks per SM: clusters, cooperative grids, suggested block sizes, shared memory that is left.
// Each answer is compared with occupancy() itself or with a count by hand.
#include <algorithm>
#include <cstddef>

#include <warpfiber/occupancy.hpp>

#include "support/catch.hpp"

using warpfiber::DeviceModel;
using warpfiber::find_device;
using warpfiber::KernelAttributes;
using warpfiber::LaunchSuggestion;

namespace {

constexpr std::size_t kKiB = 1024;

const DeviceModel& model(const char* name) {
  return *find_device(name);
}

KernelAttributes whole_sm() {
  KernelAttributes kernel;
  kernel.max_dynamic_shared = 227 * kKiB;
  return kernel;
}

}  // namespace

TEST_CASE("a cooperative grid holds blocks per SM times SMs") {
  CHECK(max_cooperative_blocks(model("H200"), {}, 256, 0) == 8 * 132);
  CHECK(max_cooperative_blocks(model("H200"), whole_sm(), 32, 160 * kKiB) == 132);
  CHECK(max_cooperative_blocks(model("H200"), {}, 2048, 0) == 0);
}

TEST_CASE("clusters stay within a GPC") {
  DeviceModel device = model("H200");
  device.gpc_count = 3;
  device.gpc_sms[0] = 18;
  device.gpc_sms[1] = 16;
  device.gpc_sms[2] = 6;
  device.sm_count = 40;
  KernelAttributes kernel = whole_sm();
  kernel.non_portable_cluster = true;
  const auto [size, expected] = GENERATE(table<unsigned, unsigned>({
      {1, 40},
      {2, 9 + 8 + 3},
      {3, 6 + 5 + 2},
      {4, 4 + 4 + 1},
      {8, 2 + 2 + 0},
      {16, 1 + 1 + 0},
      {17, 1},
      {19, 0},
      {0, 0},
  }));
  CAPTURE(size);
  CHECK(max_active_clusters(device, kernel, size, 1024, 227 * kKiB) == expected);
}

TEST_CASE("a device of unknown shape counts as one GPC") {
  DeviceModel device = model("H200");
  device.gpc_count = 0;
  CHECK(max_active_clusters(device, whole_sm(), 8, 1024, 227 * kKiB) == 132 / 8);
}

TEST_CASE("clusters beyond the portable size need the kernel's consent") {
  KernelAttributes kernel;
  CHECK(max_potential_cluster_blocks(model("H200"), kernel, 128, 0) == 8);
  CHECK(max_active_clusters(model("H200"), kernel, 9, 128, 0) == 0);
  kernel.non_portable_cluster = true;
  CHECK(max_potential_cluster_blocks(model("H200"), kernel, 128, 0) == 16);
  CHECK(max_active_clusters(model("H200"), kernel, 9, 128, 0) > 0);
}

TEST_CASE("devices before compute capability 9.0 have no clusters") {
  const char* name = GENERATE("V100", "RTX 8000", "A100", "RTX 3090", "RTX 4090");
  CAPTURE(name);
  KernelAttributes kernel;
  kernel.non_portable_cluster = true;
  CHECK_FALSE(model(name).has_clusters());
  CHECK(max_potential_cluster_blocks(model(name), kernel, 128, 0) == 0);
  CHECK(max_active_clusters(model(name), kernel, 2, 128, 0) == 0);
}

TEST_CASE("the blocks of a cluster are on different SMs, so none is larger than a GPC") {
  DeviceModel device = model("teaching");
  device.max_cluster_blocks_portable = device.max_cluster_blocks = 4;
  CHECK(occupancy(device, {}, 32, 0).blocks_per_sm == 4);
  CHECK(max_active_clusters(device, {}, 2, 32, 0) == 4);
  CHECK(max_active_clusters(device, {}, 3, 32, 0) == 0);
  CHECK(max_potential_cluster_blocks(device, {}, 32, 0) == 2);
  CHECK(max_potential_cluster_blocks(device, {}, 2048, 0) == 0);
}

TEST_CASE("an SM holds no more blocks of clusters than the device allows") {
  DeviceModel device = model("teaching");
  device.max_cluster_blocks_per_sm = 3;
  CHECK(max_active_clusters(device, {}, 2, 32, 0) == 3);
  CHECK(max_cooperative_blocks(device, {}, 32, 0) == 8);
}

TEST_CASE("the suggested block fills the SM with the largest blocks that do") {
  const LaunchSuggestion h200 = potential_block_size(model("H200"), {});
  CHECK(h200.block == 1024);
  CHECK(h200.min_grid == 2 * 132);
  const LaunchSuggestion ada = potential_block_size(model("RTX 4090"), {});
  CHECK(ada.block == 768);
  CHECK(ada.min_grid == 2 * 128);
}

TEST_CASE("a block limit and launch bounds bound the suggested block") {
  // limit, launch bounds, block, blocks per SM: 128 and 512 fill the SM's 64 warps, 33 threads beat 32 by one a block.
  const auto [limit, bounds, block, per_sm] = GENERATE(table<unsigned, unsigned, unsigned, unsigned>({
      {0, 0, 1024, 2},
      {5000, 0, 1024, 2},
      {1000, 0, 512, 4},
      {200, 0, 128, 16},
      {0, 256, 256, 8},
      {128, 256, 128, 16},
      {33, 0, 33, 32},
      {1, 0, 1, 32},
  }));
  CAPTURE(limit, bounds);
  KernelAttributes kernel;
  kernel.max_threads_per_block = bounds;
  const LaunchSuggestion got = potential_block_size(model("H200"), kernel, 0, limit);
  CHECK(got.block == block);
  CHECK(got.min_grid == per_sm * 132);
}

TEST_CASE("nothing is suggested where nothing fits") {
  const LaunchSuggestion got = potential_block_size(model("H200"), {}, 300 * kKiB);
  CHECK(got.block == 0);
  CHECK(got.min_grid == 0);
}

TEST_CASE("shared memory that depends on the block size is asked for each size") {
  const LaunchSuggestion got = potential_block_size_variable(
      model("H200"), whole_sm(), [](unsigned threads) { return threads * std::size_t{256}; });
  // 1,024 threads with 256 KiB do not fit; 896 with 224 KiB do, once.
  CHECK(got.block == 896);
  CHECK(got.min_grid == 132);
}

TEST_CASE("registers bound the block that a kernel may have") {
  const auto [registers, expected] = GENERATE(table<unsigned, unsigned>({
      {0, 1024},
      {32, 1024},
      {64, 1024},
      {65, 896},
      {128, 512},
      {255, 256},
      {256, 0},
  }));
  CAPTURE(registers);
  KernelAttributes kernel;
  kernel.registers_per_thread = registers;
  CHECK(max_block_threads(model("H200"), kernel) == expected);
}

TEST_CASE("the available dynamic shared memory fits but for what the driver keeps, and a unit more does not") {
  const unsigned threads = GENERATE(32u, 64u, 128u);
  const std::size_t static_shared = GENERATE(std::size_t{0}, 8 * kKiB);
  for (const DeviceModel& device : warpfiber::device_models()) {
    if (static_shared >= device.shared_per_block) continue;
    KernelAttributes kernel;
    kernel.static_shared = static_shared;
    kernel.max_dynamic_shared = device.shared_per_block_optin - static_shared;
    const unsigned most = occupancy(device, kernel, threads, 0).blocks_per_sm;
    for (unsigned blocks = 1; blocks <= most; ++blocks) {
      CAPTURE(device.name, threads, static_shared, blocks);
      const std::size_t bytes = available_dynamic_shared(device, kernel, blocks, threads);
      const std::size_t kept = blocks == 1 ? 0 : device.shared_reserved_per_block;
      CHECK(occupancy(device, kernel, threads, bytes - std::min(bytes, kept)).blocks_per_sm >= blocks);
      CHECK(occupancy(device, kernel, threads, bytes + device.shared_allocation_unit).blocks_per_sm < blocks);
    }
    CHECK(available_dynamic_shared(device, kernel, most + 1, threads) == 0);
    CHECK(available_dynamic_shared(device, kernel, 0, threads) == 0);
  }
}
