// SPDX-License-Identifier: Apache-2.0
//
// When work starts that the program has not synchronised with: streams/waits/late_starts.hpp.
#include "streams/waits/late_starts.hpp"

#include "support/catch.hpp"

using warpfiber::streams::Silence;
using namespace std::chrono_literals;

TEST_CASE("held work starts when the program has run for long without a request") {
  CHECK(Silence::is_long(50ms, 50ms));
  CHECK(Silence::is_long(80ms, 50ms));
}

TEST_CASE("held work does not start by the clock alone") {
  CHECK_FALSE(Silence::is_long(51ms, 0ms));
  CHECK_FALSE(Silence::is_long(900ms, 49ms));
}

TEST_CASE("held work starts when the program has slept for a second") {
  CHECK(Silence::is_long(1s, 0ms));
}

TEST_CASE("a silence that has just begun is not long") {
  CHECK_FALSE(Silence().is_long());
}
