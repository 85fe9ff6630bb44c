// SPDX-License-Identifier: Apache-2.0
//
// A test of a kernel under many schedules, block sizes and warp sizes, with Catch2.
#include <warpfiber/testing/catch2.hpp>
#include <warpfiber/warpfiber.hpp>

#include "sum.hpp"  // __global__ void sum_all(const int* in, unsigned n, int* out);

using namespace warpfiber;

TEST_CASE("the sum is right on every schedule, with odd blocks and narrow warps") {
  const std::vector<int> values(1000, 3);
  WARPFIBER_CHECK_KERNEL(
      {.seeds = 20, .block_sizes = testing::kOddBlockSizes, .warp_sizes = {8, 32}}, [&](testing::Trial& trial) {
        Buffer<int> in(values), out(1);
        out.fill(0);
        trial.launch({.grid = trial.grid(1000, 128), .block = trial.block(128)}, sum_all, in.data(), 1000u, out.data());
        CHECK(out.download()[0] == 3000);
        return out.download();
      });
}

TEST_CASE("the sum is right for a problem that can be made smaller") {
  WARPFIBER_CHECK_KERNEL({.seeds = 5}, [](testing::Trial& trial) {
    const std::size_t n = trial.size(1000);  // 1000, until something fails
    Buffer<int> in(std::vector<int>(n, 3)), out(1);
    out.fill(0);
    trial.launch({.grid = trial.grid(n, 128), .block = trial.block(128)}, sum_all, in.data(), unsigned(n), out.data());
    CHECK(out.download()[0] == 3 * int(n));
    return out.download();
  });
}
