// SPDX-License-Identifier: Apache-2.0
// Shadow cells of two spans: which are cleared, which are rewritten.
#include "memory/shadow.hpp"

#include <algorithm>
#include <vector>

#include "support/catch.hpp"

using warpfiber::memory::Shadow;
using warpfiber::memory::Span;

namespace {

constexpr std::size_t kBytes = std::size_t{1} << 20;
constexpr std::size_t kAlso = 256;
alignas(8) char memory_of_span[kBytes];
alignas(8) char memory_also[kAlso];

Shadow& filled() {
  static Shadow& shadow = *new Shadow;
  static const bool reserved = shadow.reserve(Span{memory_of_span, kBytes}, Span{memory_also, kAlso});
  REQUIRE(reserved);
  std::fill_n(shadow.plane(0), (kBytes + kAlso) / 4, 1);
  return shadow;
}

/// Words of the shadow that hold nothing.
std::vector<std::size_t> empty_words(const Shadow& shadow) {
  std::vector<std::size_t> empty;
  for (std::size_t i = 0; i < (kBytes + kAlso) / 4; ++i) {
    if (shadow.plane(0)[i] == 0) empty.push_back(i);
  }
  return empty;
}

}  // namespace

TEST_CASE("whole words of the second span are found, and only those that lie in it") {
  const Shadow& shadow = filled();
  for (const std::size_t words : {1U, 2U, 4U}) {
    for (int at = -16; at < static_cast<int>(kAlso) + 16; ++at) {
      const bool inside = at >= 0 && at % 4 == 0 && at + 4 * words <= kAlso;
      CHECK(shadow.index_of_whole_also(memory_also + at, words) == (inside ? (kBytes + at) / 4 : 0));
    }
  }
}

TEST_CASE("clearing forgets exactly the words that the bytes touch, at any offset and any size") {
  const std::size_t from = GENERATE(0U, 1U, 2U, 3U, 4U, 4093U, 65537U);
  const std::size_t bytes = GENERATE(1U, 2U, 4U, 5U, 131072U, 131075U, 400001U);
  Shadow& shadow = filled();
  shadow.clear(memory_of_span + from, bytes);
  const std::vector<std::size_t> empty = empty_words(shadow);
  REQUIRE_FALSE(empty.empty());
  CHECK(empty.front() == from / 4);
  CHECK(empty.back() == (from + bytes - 1) / 4);
  CHECK(empty.size() == empty.back() - empty.front() + 1);
}

TEST_CASE("memory can be cleared up to the end of either span") {
  const std::size_t bytes = GENERATE(1U, 4U, 9U, 256U);
  Shadow& shadow = filled();
  shadow.clear(memory_of_span + kBytes - bytes, bytes);
  CHECK(empty_words(shadow).size() == (bytes + 3) / 4);
  shadow.clear(memory_also + kAlso - bytes, bytes);
  CHECK(empty_words(shadow).size() == (bytes + 3) / 4 * 2);
}

TEST_CASE("rewriting visits the first plane and no other") {
  Shadow& shadow = filled();
  std::fill_n(shadow.plane(1), 64, 5);
  shadow.touch(shadow.index_of(memory_also));
  std::size_t outside = 0;
  shadow.rewrite([&](std::uint64_t& cell) { outside += &cell >= shadow.plane(1); });
  CHECK(outside == 0);
}

TEST_CASE("memory that is opened has words of its own until it is closed") {
  static char outside[4096];
  Shadow& shadow = filled();
  char* const from = outside + 2;
  CHECK_FALSE(shadow.covers_also(from));
  REQUIRE(shadow.open(from, 1001));
  for (char* at : {from, from + 1, from + 1000}) {
    CHECK(shadow.covers_also(at));
    CHECK_FALSE(shadow.covers(at));
    const char* word = shadow.address_of(shadow.index_of(at));
    CHECK(at - word == static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(at) % 4));
    CHECK(shadow.plane(0)[shadow.index_of(at)] == 0);
  }
  CHECK_FALSE(shadow.covers_also(from + 1001));
  CHECK(shadow.covers_also(memory_also));
  CHECK(shadow.address_of(shadow.index_of(memory_also + 8)) == memory_also + 8);
  shadow.plane(0)[shadow.index_of(from)] = 7;
  shadow.close(from);
  CHECK_FALSE(shadow.covers_also(from));
  REQUIRE(shadow.open(from, 16));
  CHECK(shadow.plane(0)[shadow.index_of(from)] == 0);
  shadow.close(from);
}
