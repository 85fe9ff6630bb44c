// SPDX-License-Identifier: Apache-2.0
// The listener by its header, twice.
#include <gtest/gtest.h>

#include "kernels.cuh"

#include <warpfiber/testing/gtest.hpp>
#include <warpfiber/testing/gtest_listener.hpp>

TEST(Barrier, Meets) {
  rotate_right();
}

TEST(Barrier, Hangs) {
  half_waits<<<1, 64>>>();
  cudaDeviceSynchronize();
}

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
