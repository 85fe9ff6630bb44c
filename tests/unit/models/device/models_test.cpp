// SPDX-License-Identifier: Apache-2.0
//
// The built-in models: that they can be found, that they agree with what the CUDA programming guide's table of compute
// capabilities says, and, for the H200, with what the device itself answered.
#include <numeric>
#include <string>
#include <string_view>

#include <warpfiber/device.hpp>

#include "support/catch.hpp"

using warpfiber::device_models;
using warpfiber::DeviceModel;
using warpfiber::find_device;

namespace {

// Programming guide, "Technical specifications per compute capability"; shared memory in KiB.
struct Capability {
  unsigned major, minor, warps, blocks, shared_sm, shared_block;
};

constexpr Capability kGuide[] = {
    {7, 0, 64, 32, 96, 96},  {7, 5, 32, 16, 64, 64},   {8, 0, 64, 32, 164, 163},  {8, 6, 48, 16, 100, 99},
    {8, 9, 48, 24, 100, 99}, {9, 0, 64, 32, 228, 227}, {10, 0, 64, 32, 228, 227},
};

const Capability& capability_of(const DeviceModel& model) {
  for (const Capability& row : kGuide)
    if (row.major == model.compute_major && row.minor == model.compute_minor) return row;
  FAIL("the guide has no row for " << model.name);
  return kGuide[0];
}

bool is_real(const DeviceModel& model) {
  return std::string_view(model.name) != "teaching";
}

}  // namespace

TEST_CASE("every model is found by its names, whatever their case and separators") {
  for (const DeviceModel& model : device_models()) {
    CAPTURE(model.name);
    CHECK(find_device(model.name) == &model);
    CHECK(find_device(model.full_name) == &model);
  }
  const auto [given, expected] = GENERATE(table<std::string, std::string>({
      {"h200", "H200"},
      {"nvidia h200", "H200"},
      {"NVIDIA_H200", "H200"},
      {"v100", "V100"},
      {"tesla-v100", "V100"},
      {"quadro rtx 8000", "RTX 8000"},
      {"rtx8000", "RTX 8000"},
      {"RTX-4090", "RTX 4090"},
      {"4090", "RTX 4090"},
      {"geforce_rtx_3090", "RTX 3090"},
      {"A100-80GB", "A100 80GB"},
      {"a100", "A100"},
      {"h100", "H100"},
      {"H100-SXM5", "H100"},
      {"h100 pcie", "H100 PCIe"},
      {"b200", "B200"},
      {"Teaching", "teaching"},
  }));
  CAPTURE(given);
  REQUIRE(find_device(given) != nullptr);
  CHECK(std::string(find_device(given)->name) == expected);
}

TEST_CASE("names that nobody has are not found") {
  const char* name = GENERATE("", " ", "H20", "H2000", "A10", "RTX", "H200x");
  CAPTURE(name);
  CHECK(find_device(name) == nullptr);
}

TEST_CASE("who does not choose gets an H200") {
  CHECK(std::string(warpfiber::default_device().name) == "H200");
}

TEST_CASE("the real models agree with the programming guide's table") {
  for (const DeviceModel& model : device_models()) {
    if (!is_real(model)) continue;
    CAPTURE(model.name);
    const Capability& guide = capability_of(model);
    CHECK(model.max_warps_per_sm() == guide.warps);
    CHECK(model.max_blocks_per_sm == guide.blocks);
    CHECK(model.shared_per_sm == guide.shared_sm * 1024);
    CHECK(model.shared_per_block_optin == guide.shared_block * 1024);
    CHECK(model.has_clusters() == (guide.major >= 9));
    CHECK(model.warp_size == 32);
    CHECK(model.registers_per_sm == 65536);
    CHECK(model.max_registers_per_thread == 255);
    CHECK(model.shared_per_block == 49152);
    CHECK(model.constant_bytes == 65536);
  }
}

TEST_CASE("the H200 is what an H200 says of itself") {
  const DeviceModel& m = *find_device("H200");
  CHECK(std::string(m.full_name) == "NVIDIA H200");
  CHECK(m.compute_major == 9);
  CHECK(m.compute_minor == 0);
  CHECK(m.sm_count == 132);
  CHECK(m.warp_size == 32);
  CHECK(m.max_threads_per_block == 1024);
  CHECK(m.max_block_x == 1024);
  CHECK(m.max_block_y == 1024);
  CHECK(m.max_block_z == 64);
  CHECK(m.max_grid_x == 2147483647);
  CHECK(m.max_grid_y == 65535);
  CHECK(m.max_grid_z == 65535);
  CHECK(m.max_threads_per_sm == 2048);
  CHECK(m.max_blocks_per_sm == 32);
  CHECK(m.shared_per_block == 49152);
  CHECK(m.shared_per_block_optin == 232448);
  CHECK(m.shared_per_sm == 233472);
  CHECK(m.shared_reserved_per_block == 1024);
  CHECK(m.registers_per_block == 65536);
  CHECK(m.registers_per_sm == 65536);
  CHECK(m.cooperative_launch);
  CHECK(m.max_cluster_blocks_portable == 8);
  CHECK(m.max_cluster_blocks == 16);
  CHECK(m.global_bytes == 150109880320);
  CHECK(m.constant_bytes == 65536);
  CHECK(m.l2_bytes == 62914560);
  CHECK(m.memory_bus_bits == 6016);
  CHECK(m.memory_clock_khz == 3201000);
  CHECK(m.clock_khz == 1980000);
  CHECK(m.max_pitch_bytes == 2147483647);
  CHECK(m.texture_alignment == 512);
  CHECK(m.texture_pitch_alignment == 32);
  CHECK(m.surface_alignment == 512);
  CHECK(m.single_to_double_ratio == 2);
  CHECK(m.ecc);
}

TEST_CASE("the parts of every model add up") {
  for (const DeviceModel& model : device_models()) {
    CAPTURE(model.name);
    const unsigned sms = std::accumulate(model.gpc_sms, model.gpc_sms + model.gpc_count, 0u);
    CHECK((model.gpc_count == 0 || sms == model.sm_count));
    CHECK((model.gpc_count != 0 || !model.has_clusters()));
    REQUIRE(model.shared_carveout_count > 0);
    CHECK(model.shared_carveouts[model.shared_carveout_count - 1] == model.shared_per_sm);
    CHECK(model.shared_per_block_optin + model.shared_reserved_per_block <= model.shared_per_sm);
    CHECK(model.max_threads_per_sm % model.warp_size == 0);
    CHECK(model.global_bytes > 0);
  }
}
