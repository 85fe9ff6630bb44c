// SPDX-License-Identifier: Apache-2.0
// Launches that find out by themselves whether they are cooperative, and how large a cooperative grid may be.
#include <string>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

// Each case has kernels of its own: what a launch finds out about one stays known.
template <int kCase>
void count_and_meet(unsigned* count, unsigned* wrong) {
  atomicAdd(count, 1U);
  sync_grid();
  if (atomicAdd(count, 0U) != gridDim.x * blockDim.x) atomicAdd(wrong, 1U);
}

template <int kCase>
void count_only(unsigned* count) {
  atomicAdd(count, 1U);
}

template <int kCase>
void meet_if(unsigned* count, bool all) {
  atomicAdd(count, 1U);
  if (all) sync_grid();
}

/// The tiny device: two SMs of 512 threads, four blocks each.
LaunchConfig automatic_on_teaching(const Way& way, unsigned blocks, unsigned threads) {
  LaunchConfig config = way.apply({.grid = blocks, .block = threads, .cooperative = automatic});
  config.device = find_device("teaching");
  return config;
}

void with_static_shared() {
  WARPFIBER_SHARED(char[8000], table);
  table[threadIdx.x] = 1;
}

template <class T>
void with_static_shared_of() {
  auto& table = shared<T[1500], struct table_tag>();
  table[threadIdx.x] = 1;
}

}  // namespace

TEST_CASE("a kernel that synchronises its grid is launched cooperatively by itself") {
  const Way way = every_way();
  CAPTURE(way);
  unsigned count = 0;
  unsigned wrong = 0;
  for (unsigned i = 1; i <= 2; ++i) {
    count = 0;
    good_launch(automatic_on_teaching(way, 8, 128), count_and_meet<0>, &count, &wrong);
    CHECK(count == 8 * 128);
  }
  CHECK(wrong == 0);
}

TEST_CASE("a kernel that does not may have any grid") {
  const Way way = every_way();
  CAPTURE(way);
  unsigned count = 0;
  for (const unsigned blocks : {1U, 8U, 9U, 200U}) {
    count = 0;
    good_launch(automatic_on_teaching(way, blocks, 64), count_only<0>, &count);
    CHECK(count == blocks * 64);
  }
}

TEST_CASE("a grid that is too large to be synchronised ends where it tries, and is then refused at once") {
  unsigned count = 0;
  unsigned wrong = 0;
  const LaunchConfig config = automatic_on_teaching(kWays[0], 9, 128);
  const LaunchResult first = failed_launch(config, count_and_meet<1>, &count, &wrong);
  CHECK(first.error() == Error::cooperative_launch_too_large);
  CHECK(std::string(first.finding()) == "cg-misuse");
  CHECK(std::string(first.message()).find("max_cooperative_grid_blocks") != std::string::npos);
  CHECK(count > 0);
  count = 0;
  const LaunchResult second = failed_launch(config, count_and_meet<1>, &count, &wrong);
  CHECK(second.error() == Error::cooperative_launch_too_large);
  CHECK(std::string(second.finding()) == "launch-error");
  CHECK(count == 0);
  good_launch(automatic_on_teaching(kWays[0], 8, 128), count_and_meet<1>, &count, &wrong);
  CHECK(count == 8 * 128);
}

TEST_CASE("what a kernel does in one launch is known in the next") {
  unsigned count = 0;
  good_launch(automatic_on_teaching(kWays[0], 20, 32), meet_if<0>, &count, false);
  CHECK(count == 20 * 32);
  good_launch(automatic_on_teaching(kWays[0], 4, 32), meet_if<0>, &count, true);
  const LaunchResult refused = failed_launch(automatic_on_teaching(kWays[0], 20, 32), meet_if<0>, &count, false);
  CHECK(refused.error() == Error::cooperative_launch_too_large);
}

TEST_CASE("a device without cooperative launches synchronises no grid by itself") {
  DeviceModel plain = *find_device("teaching");
  plain.cooperative_launch = false;
  unsigned count = 0;
  LaunchConfig config{.grid = 2, .block = 32, .cooperative = automatic};
  config.device = &plain;
  good_launch(config, count_only<1>, &count);
  CHECK(count == 64);
  const LaunchResult result = failed_launch(config, meet_if<1>, &count, true);
  CHECK(result.error() == Error::cooperative_launch_too_large);
  CHECK(std::string(result.message()).find("cooperative launches") != std::string::npos);
  CHECK(max_cooperative_grid_blocks(count_only<1>, 32, 0, &plain) == 0);
}

TEST_CASE("the largest cooperative grid is what a cooperative launch accepts") {
  const DeviceModel* device = find_device("teaching");
  for (const dim3 block : {dim3(1), dim3(32), dim3(64, 2), dim3(16, 4, 4), dim3(256)}) {
    for (const std::size_t shared : {std::size_t{0}, std::size_t{3} * 1024, std::size_t{14} * 1024}) {
      CAPTURE(block.x, block.y, block.z, shared);
      const std::uint64_t most = max_cooperative_grid_blocks<count_only<2>>(block, shared, device);
      REQUIRE(most > 0);
      unsigned count = 0;
      LaunchConfig config{.grid = static_cast<unsigned>(most), .block = block, .cooperative = true};
      config.dynamic_shared = shared;
      config.device = device;
      good_launch(config, count_only<2>, &count);
      ++config.grid.x;
      CHECK(launch(config, count_only<2>, &count).error() == Error::cooperative_launch_too_large);
    }
  }
}

TEST_CASE("what a kernel declares in shared memory counts before its first launch") {
  const DeviceModel* device = find_device("teaching");  // 2 SMs of 16 KiB
  CHECK(max_cooperative_grid_blocks(with_static_shared, 32, 0, device) == 4);
  CHECK(max_cooperative_grid_blocks<with_static_shared_of<int>>(32, 0, device) == 4);
  CHECK(max_cooperative_grid_blocks<with_static_shared_of<char>>(32, 0, device) == 8);
  LaunchConfig config{.grid = 5, .block = 32, .cooperative = true};
  config.device = device;
  CHECK(launch(config, with_static_shared).error() == Error::cooperative_launch_too_large);
  last_error();
}

TEST_CASE("numbers of Numba's example") {
  // "Cooperative Groups" in Numba's documentation: 1,152 blocks of one warp on a Quadro RTX 8000.
  const auto kernel = [] {};
  CHECK(max_cooperative_grid_blocks(kernel, 32, 0, find_device("Quadro RTX 8000")) == 1152);
  CHECK(max_cooperative_grid_blocks(kernel, 0, 0) == 0);
  CHECK(max_cooperative_grid_blocks(kernel, 2048, 0) == 0);
  CHECK(max_cooperative_grid_blocks(kernel, dim3(65536, 65536, 65536), 0) == 0);
  CHECK(max_cooperative_grid_blocks(kernel, 32, std::size_t{1} << 40) == 0);
}
