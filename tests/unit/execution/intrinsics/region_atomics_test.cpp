// SPDX-License-Identifier: Apache-2.0
//
// Atomics of regions do what CUDA's functions of that name do.
#include <warpfiber/bfloat16_memory.hpp>
#include <warpfiber/detail/regions.hpp>
#include <warpfiber/half_memory.hpp>

#include "support/launches.hpp"

namespace {

using warpfiber::Buffer;
using warpfiber::test::good_launch;

void add_subnormals(float* here, float* by_cuda) {
  *here = *by_cuda = 1e-39F;
  warpfiber_regions_plain_add_float(here, 1e-39F);
  atomicAdd(by_cuda, 1e-39F);
}

}  // namespace

TEST_CASE("Atomics of regions add floats and count in circles") {
  float sum = 2.5F;
  CHECK(warpfiber_regions_plain_add_float(&sum, 0.25F) == 2.5F);
  CHECK(sum == 2.75F);

  unsigned counter = 1;
  for (const unsigned old : {1U, 2U, 0U}) CHECK(warpfiber_regions_plain_increment(&counter, 2) == old);
  for (const unsigned old : {1U, 0U, 2U}) CHECK(warpfiber_regions_plain_decrement(&counter, 2) == old);
  CHECK(counter == 1);
}

TEST_CASE("Atomics of regions add numbers of 16 bits") {
  constexpr unsigned short kHalfOne = 0x3c00;
  unsigned short number = kHalfOne;
  CHECK(warpfiber_regions_plain_add_half(&number, kHalfOne) == kHalfOne);
  CHECK(number == 0x4000);
  CHECK(warpfiber_regions_plain_add_half(&number, 0x0c00) == 0x4000);  // less than half of its last bit
  CHECK(number == 0x4000);
  constexpr unsigned short kBfloatOne = 0x3f80;
  unsigned short bits = kBfloatOne;
  CHECK(warpfiber_regions_plain_add_bfloat16(&bits, kBfloatOne) == kBfloatOne);
  CHECK(bits == 0x4000);
}

TEST_CASE("Atomics of regions flush subnormal sums in global memory as atomicAdd does") {
  Buffer<float> here(1);
  Buffer<float> by_cuda(1);
  good_launch({}, add_subnormals, here.data(), by_cuda.data());
  CHECK(here.download()[0] == by_cuda.download()[0]);
  CHECK(here.download()[0] == 0);
}
