// SPDX-License-Identifier: Apache-2.0
//
// The adapter for GoogleTest, where that is installed.
#include <warpfiber/testing/gtest.hpp>

#include <gtest/gtest-spi.h>

#include "testing/kernels.hpp"

using namespace warpfiber;

TEST(GoogleTestAdapter, PassesACorrectKernel) {
  WARPFIBER_EXPECT_KERNEL({.seeds = 2}, test::summing(test::sum_all));
  WARPFIBER_ASSERT_KERNEL({.seeds = 1, .block_sizes = {1, 33}}, test::summing(test::sum_all)) << "odd sizes";
}

TEST(GoogleTestAdapter, PrintsWhatWasFound) {
  EXPECT_NONFATAL_FAILURE(WARPFIBER_EXPECT_KERNEL({}, test::two_words(test::half_waits)), "barrier-divergence");
  EXPECT_FATAL_FAILURE(WARPFIBER_ASSERT_KERNEL({}, test::two_words(test::half_waits)), "again: check_kernel(");
}

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
