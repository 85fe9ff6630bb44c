// SPDX-License-Identifier: Apache-2.0
//
// Coordinates to linear indices and back, against counting in three loops, and the products of the largest extents.
#include "base/index.hpp"

#include <cstdint>

#include "base/ids.hpp"
#include "support/catch.hpp"

using namespace warpfiber::base;

TEST_CASE("linear indices count x first, then y, then z") {
  const Triple extent = GENERATE(Triple{1, 1, 1}, Triple{5, 1, 1}, Triple{1, 4, 1}, Triple{1, 1, 3}, Triple{4, 3, 2},
                                 Triple{2, 3, 4}, Triple{7, 5, 3});
  std::uint64_t expected = 0;
  for (std::uint32_t z = 0; z < extent.z; ++z)
    for (std::uint32_t y = 0; y < extent.y; ++y)
      for (std::uint32_t x = 0; x < extent.x; ++x, ++expected) {
        const Triple at{x, y, z};
        REQUIRE(linear_index(at, extent) == expected);
        REQUIRE(unlinear(expected, extent) == at);
      }
  CHECK(volume(extent) == expected);
}

TEST_CASE("the largest grid CUDA admits has a 64-bit volume and index") {
  constexpr Triple kGrid{2147483647, 65535, 65535};
  const std::uint64_t blocks = 2147483647ull * 65535 * 65535;
  CHECK(checked_volume(kGrid) == blocks);
  const Triple last{kGrid.x - 1, kGrid.y - 1, kGrid.z - 1};
  CHECK(linear_index(last, kGrid) == blocks - 1);
  CHECK(unlinear(blocks - 1, kGrid) == last);
}

TEST_CASE("products of more than 64 bits are refused") {
  CHECK_FALSE(checked_volume(Triple{0xffffffff, 0xffffffff, 2}).has_value());
  CHECK_FALSE(checked_product(1ull << 32, 1ull << 32).has_value());
  CHECK(checked_product((1ull << 32) - 1, 1ull << 32) == ((1ull << 32) - 1) << 32);
}

TEST_CASE("any type with x, y and z is a triple") {
  struct Vendor {
    unsigned x, y, z;
  };
  CHECK(to_triple(Vendor{1, 2, 3}) == Triple{1, 2, 3});
  CHECK(linear_index(Vendor{1, 0, 2}, Vendor{4, 3, 3}) == 25);
}

TEST_CASE("a fiber id names its block and thread") {
  const std::uint64_t threads = GENERATE(1u, 32u, 33u, 1024u);
  for (const std::uint64_t block : {0ull, 1ull, 131ull, 1ull << 40}) {
    const FiberId id = fiber_id(block, threads - 1, threads);
    CHECK(block_of(id, threads) == block);
    CHECK(thread_of(id, threads) == threads - 1);
  }
}
