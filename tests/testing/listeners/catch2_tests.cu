// SPDX-License-Identifier: Apache-2.0
// Tests with Catch2 of either version, in the order in which they run.
// Their main() is linked.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>
#endif

#include <warpfiber/testing/catch2_listener.hpp>

#include "kernels.cuh"

TEST_CASE("rotate right") {
  rotate_right();
}

TEST_CASE("rotate wrong in the second section") {
  SECTION("right") { rotate_right(); }
  SECTION("wrong") { rotate_wrong(); }
}

TEST_CASE("rotate wrong again") {
  rotate_wrong();
}

TEST_CASE("rotate wrong as expected", "[!shouldfail]") {
  rotate_wrong();
}

TEST_CASE("launch without waiting") {
  launch_unawaited();
}

TEST_CASE("a call that is refused and seen") {
  CHECK(ask_for_too_much() == cudaErrorMemoryAllocation);
  cudaGetLastError();
}

TEST_CASE("a call that is refused and ignored") {
  ask_and_ignore();
}

TEST_CASE("fails by itself") {
  CHECK(1 + 1 == 3);
}
