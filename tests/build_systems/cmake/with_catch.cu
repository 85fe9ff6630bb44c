// SPDX-License-Identifier: Apache-2.0
#if __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#else
#include <catch2/catch_test_macros.hpp>
#endif

#include "kernels.hpp"

TEST_CASE("kernels that are right") {
  CHECK(runs(fill));
}
TEST_CASE("kernels that race") {
  CHECK(runs(fill_one));
}
