// SPDX-License-Identifier: Apache-2.0
// Kernels that do nothing: what shows that in their code, and that launches of them are otherwise like any other.
#include <array>

#include "engine/claims/empty_code.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

template <std::size_t kBytes>
bool empty(const std::array<unsigned char, kBytes>& code) {
  return engine::does_nothing(code.data());
}

#if defined(__x86_64__) && defined(__linux__)
constexpr bool kReadsCode = true;
/// Nothing, whatever the compiler makes of an empty function.
__attribute__((naked)) void nothing() {
  asm("ret");
}
constexpr unsigned kMostBlocks = 0x7fffffffU;
#else
constexpr bool kReadsCode = false;
void nothing() {}
constexpr unsigned kMostBlocks = 1000;
#endif

}  // namespace

TEST_CASE("a function that does nothing but return shows it") {
  CHECK(empty<1>({0xc3}) == kReadsCode);
  CHECK(empty<2>({0xf3, 0xc3}) == kReadsCode);
  CHECK(empty<5>({0xf3, 0x0f, 0x1e, 0xfa, 0xc3}) == kReadsCode);
  CHECK_FALSE(empty<3>({0x31, 0xc0, 0xc3}));
  CHECK_FALSE(empty<6>({0xf3, 0x0f, 0x1e, 0xfa, 0x90, 0xc3}));
  CHECK_FALSE(empty<4>({0xf3, 0x0f, 0x58, 0xc3}));
  CHECK_FALSE(empty<2>({0xeb, 0xfe}));
  CHECK_FALSE(engine::does_nothing(nullptr));
}

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
