// SPDX-License-Identifier: Apache-2.0
// How many blocks of a launch fit beside those of others.
#include "machine/residency.hpp"

#include <vector>

#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::machine;

namespace {

SmResources block_of(const DeviceModel& device, unsigned threads, std::size_t shared) {
  KernelAttributes kernel;
  kernel.max_dynamic_shared = device.shared_per_block_optin;
  return resources_of_block(occupancy(device, kernel, threads, shared));
}

}  // namespace

TEST_CASE("on an empty device nothing but the launch itself sets a limit") {
  const DeviceModel& device = default_device();
  CHECK(blocks_that_fit(device, {}, block_of(device, 1024, 0)) == ~std::uint64_t{0});
  const std::vector<ResidentBlocks> none{{block_of(device, 1024, 0), 0}};
  CHECK(blocks_that_fit(device, none, block_of(device, 1024, 0)) == ~std::uint64_t{0});
}

TEST_CASE("blocks that fill every SM keep others out") {
  const DeviceModel& device = default_device();
  const unsigned sms = device.sm_count;
  const std::vector<ResidentBlocks> threads{{block_of(device, 1024, 0), 2 * sms}};
  CHECK(blocks_that_fit(device, threads, block_of(device, 32, 0)) == 0);
  const std::vector<ResidentBlocks> shared{{block_of(device, 32, 200'000), sms}};
  CHECK(blocks_that_fit(device, shared, block_of(device, 32, 40'000)) == 0);
  CHECK(blocks_that_fit(device, shared, block_of(device, 32, 0)) > 0);
}

TEST_CASE("what one launch leaves another gets") {
  const DeviceModel& device = default_device();
  const unsigned sms = device.sm_count;
  const SmResources half = block_of(device, 1024, 0);
  for (unsigned held = 1; held <= 2 * sms; ++held) {
    const std::vector<ResidentBlocks> others{{half, held}};
    CHECK(blocks_that_fit(device, others, half) == 2 * sms - held);
  }
}

TEST_CASE("room is room on one SM, not bits of several") {
  const DeviceModel& device = default_device();
  // 100 KiB are free on every SM, 13 MiB in all.
  const std::vector<ResidentBlocks> others{{block_of(device, 32, 128 * 1024), device.sm_count}};
  CHECK(blocks_that_fit(device, others, block_of(device, 32, 110 * 1024)) == 0);
}
