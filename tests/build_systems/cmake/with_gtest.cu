// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels.hpp"

TEST(Kernels, Right) {
  EXPECT_TRUE(runs(fill));
}
TEST(Kernels, Racing) {
  EXPECT_TRUE(runs(fill_one));
}
