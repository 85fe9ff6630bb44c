// SPDX-License-Identifier: Apache-2.0
// Groups as CUDA 13.0 has them where it differs from the guide: compiled with WARPFIBER_STRICT_CUDA, in a program of
// its own, because the groups of the other tests are other ones.
#include <warpfiber/cooperative_groups.hpp>

#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;

TEST_CASE("a thread_group copied from a grid is empty, and its barrier waits for nobody") {
  Buffer<int> seen(3);
  seen.fill(-1);
  const auto look = [](int* out) {
    const cooperative_groups::thread_group group = cooperative_groups::this_grid();
    if (blockIdx.x != 0 || threadIdx.x != 5) return;
    group.sync();
    out[0] = static_cast<int>(group.size());
    out[1] = static_cast<int>(group.thread_rank());
    out[2] = static_cast<int>(group.get_type());
  };
  REQUIRE(launch({.grid = 2, .block = 64}, look, seen.data()).ok());
  CHECK(seen.download() == std::vector<int>{0, 0, 3});
}
