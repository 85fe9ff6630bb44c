// SPDX-License-Identifier: Apache-2.0
// Launches of kernels that do nothing, which are otherwise like any other.
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

#if defined(__x86_64__) && defined(__linux__)
/// Nothing, whatever the compiler makes of an empty function.
__attribute__((naked)) void nothing() {
  asm("ret");
}
constexpr unsigned kMostBlocks = 0x7fffffffU;
#else
void nothing() {}
constexpr unsigned kMostBlocks = 1000;
#endif

}  // namespace

TEST_CASE("the largest grid of a kernel that does nothing ends") {
  const unsigned workers = GENERATE(1U, 2U);
  good_launch({.grid = kMostBlocks, .block = 1024, .workers = workers}, nothing);
}

TEST_CASE("a launch of a kernel that does nothing is checked like any other") {
  CHECK(launch({.grid = 1000, .block = 2048}, nothing).error() == Error::invalid_value);
  CHECK(launch({.grid = 1000, .dynamic_shared = std::size_t{1} << 30}, nothing).error() != Error::success);
}

TEST_CASE("a kernel that does next to nothing does it in every block") {
  const unsigned blocks = 5000;
  const unsigned workers = GENERATE(1U, 2U);
  std::vector<unsigned> counts(blocks);
  good_launch({.grid = blocks, .block = 1, .workers = workers}, [&counts] { ++counts[blockIdx.x]; });
  CHECK(counts == std::vector<unsigned>(blocks, 1));
}
