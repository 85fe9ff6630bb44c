// SPDX-License-Identifier: Apache-2.0
//
// How numbers, coordinates and lanes are spelt.
#include "base/text.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "support/catch.hpp"

using namespace warpfiber::base;

TEST_CASE("numbers have a comma every three digits") {
  const auto [number, text] = GENERATE(table<std::uint64_t, std::string>({
      {0, "0"},
      {7, "7"},
      {999, "999"},
      {1000, "1,000"},
      {33660, "33,660"},
      {270336, "270,336"},
      {1234567, "1,234,567"},
      {18446744073709551615ull, "18,446,744,073,709,551,615"},
  }));
  CHECK(thousands(number) == text);
}

TEST_CASE("nouns take an s unless there is one") {
  CHECK(counted(0, "block") == "0 blocks");
  CHECK(counted(1, "block") == "1 block");
  CHECK(counted(33660, "thread") == "33,660 threads");
}

TEST_CASE("sizes use the largest unit without a fraction") {
  const auto [bytes, text] = GENERATE(table<std::uint64_t, std::string>({
      {0, "0 bytes"},
      {1, "1 byte"},
      {4160, "4,160 bytes"},
      {1024, "1 KiB"},
      {163840, "160 KiB"},
      {1536 * 1024, "1,536 KiB"},
      {std::uint64_t{3} << 20, "3 MiB"},
      {std::uint64_t{139} << 30, "139 GiB"},
  }));
  CHECK(bytes_text(bytes) == text);
}

TEST_CASE("coordinates are written as CUDA programmers write them") {
  CHECK(triple_text({131, 0, 2}) == "(131,0,2)");
  CHECK(range_text({0, 0, 0}, {131, 0, 0}) == "(0,0,0) … (131,0,0)");
  CHECK(range_text({5, 1, 0}, {5, 1, 0}) == "(5,1,0)");
}

TEST_CASE("neighbouring lanes are joined to ranges") {
  const auto [mask, text] = GENERATE(table<LaneMask, std::string>({
      {0, "no lane"},
      {1, "lane 0"},
      {8, "lane 3"},
      {0xffff, "lanes 0-15"},
      {0x8000ffff, "lanes 0-15, 31"},
      {0x55, "lanes 0, 2, 4, 6"},
      {0xffffffff, "lanes 0-31"},
      {~LaneMask{0}, "lanes 0-63"},
      {LaneMask{1} << 63 | 1, "lanes 0, 63"},
  }));
  CHECK(lanes_text(mask) == text);
}

TEST_CASE("masks have as many digits as their warp needs") {
  CHECK(mask_text(0xff, 32) == "0x000000ff");
  CHECK(mask_text(0x1f, 5) == "0x1f");
  CHECK(mask_text(0xff, 16) == "0x00ff");
  CHECK(mask_text(~LaneMask{0}, 64) == "0xffffffffffffffff");
}

TEST_CASE("a number is read only if it is the whole text") {
  CHECK(parse_number("0") == 0u);
  CHECK(parse_number("5d1", 16) == 0x5d1u);
  CHECK(parse_number("18446744073709551615") == ~std::uint64_t{0});
  const std::string text = GENERATE("", " 1", "1 ", "-1", "+1", "0x1", "1.5", "5d1", "18446744073709551616");
  CHECK_FALSE(parse_number(text).has_value());
}
