// SPDX-License-Identifier: Apache-2.0
//
// When work starts that the program has not synchronised with: streams/waits/late_starts.hpp.
#include "streams/waits/late_starts.hpp"

#include "support/catch.hpp"

using warpfiber::streams::Silence;
using namespace std::chrono_literals;

TEST_CASE("a program that looks at memory without a request is given what is held") {
  CHECK(Silence::is_long(50ms, 50ms));
  CHECK(Silence::is_long(80ms, 50ms));
}

TEST_CASE("a machine that leaves the program no processor does not start what is held") {
  CHECK_FALSE(Silence::is_long(51ms, 0ms));
  CHECK_FALSE(Silence::is_long(900ms, 49ms));
}

TEST_CASE("a program that sleeps between its looks at memory is given what is held") {
  CHECK(Silence::is_long(1s, 0ms));
}

TEST_CASE("a program has just been silent for no time") {
  CHECK_FALSE(Silence().is_long());
}
