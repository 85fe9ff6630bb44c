// SPDX-License-Identifier: Apache-2.0
//
// When two buffers, and two texts, count as equal: bits, units in the last place, printed digits.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "support/catch.hpp"
#include "tools/crosscheck/comparing.hpp"

using namespace warpfiber::tools::crosscheck;

namespace {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
Likeness compared(const std::vector<T>& ours, const std::vector<T>& theirs, std::string_view type, std::uint64_t ulp) {
  return compare_elements(bytes_of(ours), bytes_of(theirs), type, ulp);
}

/// The float that many steps further from zero.
float stepped(float from, std::uint32_t steps) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(from) + steps);
}

}  // namespace

TEST_CASE("floats within the tolerance count as equal, the next one does not") {
  for (const float value : {1.0F, -3.5F, 1e-30F, 6e37F, 0.0F}) {
    CAPTURE(value);
    const std::vector<float> base{2, value};
    CHECK(compared(base, {2, stepped(value, 4)}, "float", 4).equal);
    CHECK(compared(base, {2, stepped(value, 4)}, "float", 4).largest == 4);
    const Likeness beyond = compared(base, {2, stepped(value, 5)}, "float", 4);
    CHECK_FALSE(beyond.equal);
    CHECK(beyond.first == 1);
    CHECK(beyond.byte == 4);
    CHECK(beyond.distance == 5);
    CHECK(beyond.differing == 1);
  }
}

TEST_CASE("the distance across zero is the sum of both sides") {
  const float tiny = std::numeric_limits<float>::denorm_min();
  CHECK(compared<float>({-tiny}, {tiny}, "float", 2).equal);
  CHECK_FALSE(compared<float>({-tiny}, {tiny}, "float", 1).equal);
  CHECK(compared<float>({-0.0F}, {0.0F}, "float", 0).equal);
}

TEST_CASE("a NaN is equal to every NaN and to nothing else, and an infinity to itself") {
  const auto hardware = std::bit_cast<float>(0x7fffffffU);
  const auto host = std::bit_cast<float>(0xffc00000U);
  const float infinity = std::numeric_limits<float>::infinity();
  const float largest = std::numeric_limits<float>::max();
  CHECK(compared<float>({hardware}, {host}, "float", 0).equal);
  CHECK_FALSE(compared<float>({hardware}, {infinity}, "float", 1U << 31).equal);
  CHECK_FALSE(compared<float>({largest}, {infinity}, "float", 1U << 31).equal);
  CHECK(compared<float>({infinity}, {infinity}, "float", 0).equal);
}

TEST_CASE("every bit counts in integers and in doubles without a tolerance") {
  CHECK_FALSE(compared<int>({1, 2, 3}, {1, 2, 4}, "int32", 1000).equal);
  const Likeness integers = compared<int>({-7, 2}, {-8, 2}, "int32", 1000);
  CHECK(integers.ours == "-7");
  CHECK(integers.theirs == "-8");
  CHECK_FALSE(compared<double>({1.0}, {std::nextafter(1.0, 2.0)}, "double", 0).equal);
  CHECK(compared<double>({1.0}, {std::nextafter(1.0, 2.0)}, "double", 1).equal);
}

TEST_CASE("halves are told as numbers") {
  const Likeness half = compared<std::uint16_t>({0x3c00, 0x4000}, {0x3c00, 0x4200}, "half", 4);
  CHECK(half.ours == "2");
  CHECK(half.theirs == "3");
  const Likeness brain = compared<std::uint16_t>({0x3f80}, {0xc000}, "bfloat16", 4);
  CHECK(brain.ours == "1");
  CHECK(brain.theirs == "-2");
}

TEST_CASE("bytes of an unknown type differ whatever they look like, and what they would be is told") {
  const float one = stepped(1.0F, 1);
  const Likeness floats = compared<float>({3.25F, 0, 1}, {3.25F, 0, one}, "", 4);
  CHECK_FALSE(floats.equal);
  CHECK(floats.type == "bytes");
  CHECK(floats.byte == 8);
  CHECK(floats.maybe == "float");
  CHECK(floats.apart == 1);
  const Likeness doubles = compared<double>({0.1, 0.7}, {0.1, std::nextafter(0.7, 1.0)}, "", 4);
  CHECK_FALSE(doubles.equal);
  CHECK(doubles.maybe == "double");
  // Whole numbers above 2^30 have the bits of floats between 2 and 4.
  const Likeness large = compared<int>({(1 << 30) + 7, 1 << 30}, {(1 << 30) + 8, 1 << 30}, "", 4);
  CHECK_FALSE(large.equal);
  const Likeness small = compared<int>({5, 100}, {6, 100}, "", 4);
  CHECK_FALSE(small.equal);
  CHECK(small.maybe.empty());
}

TEST_CASE("buffers with the same elements in another order are told apart from others") {
  const std::string ours = bytes_of<int>({1, 2, 3, 3});
  CHECK(same_elements(ours, bytes_of<int>({3, 1, 3, 2}), "int32"));
  CHECK_FALSE(same_elements(ours, bytes_of<int>({3, 1, 2, 2}), "int32"));
  CHECK_FALSE(same_elements(ours, bytes_of<int>({3, 1, 3, 2}), ""));
  // The same bytes, not the same elements.
  CHECK_FALSE(same_elements(bytes_of<int>({0x100, 1}), bytes_of<int>({0x1, 0x10000}), "int32"));
}

TEST_CASE("printed text is compared in words, and numbers with a point as floats") {
  CHECK(compare_output("a 1\nb\n", "a 1\nb\n", 4).equal);
  CHECK(compare_output("sum 1.234567\n", "sum 1.234568\n", 4).equal);
  CHECK(compare_output("sum 1.234567\n", "sum 1.234568\n", 4).tolerated == 1);
  CHECK_FALSE(compare_output("sum 1.234567\n", "sum 1.234570\n", 4).equal);
  CHECK(compare_output("1e-05,2\n", "1.0e-05,2\n", 4).equal);
  CHECK_FALSE(compare_output("count 7\n", "count 8\n", 4).equal);
  CHECK_FALSE(compare_output("sum 1.5\n", "sum 1.6\n", 0).equal);
}

TEST_CASE("whole numbers and what only looks like a number are compared as text") {
  for (const auto& [ours, theirs] : {std::pair{"found 12.\n", "found 13.\n"},
                                     {"hash 0x1e5\n", "hash 0x2e5\n"},
                                     {"a3e8f\n", "a4e8f\n"},
                                     {"1e5\n", "2e5\n"},
                                     {"driver 580.65.06\n", "driver 580.65.07\n"},
                                     {"v1.2\n", "v1.3\n"},
                                     {"1048576\n", "1048577\n"},
                                     {"16777216 of 16777217\n", "16777216 of 16777216\n"},
                                     {"7 5\n", "75\n"},
                                     {"-1\n", "1\n"},
                                     {"1-2\n", "1 -2\n"},
                                     {"inf\n", "nan\n"},
                                     {"0x1.8p+1\n", "0x1.9p+1\n"},
                                     {"5ms\n", "6ms\n"}}) {
    INFO(ours << theirs);
    CHECK_FALSE(compare_output(ours, theirs, 4).equal);
  }
}

TEST_CASE("lines that threads print in any order are compared sorted") {
  CHECK(sorted_lines("b\na\nb") == "a\nb\nb\n");
  CHECK(sorted_lines("").empty());
  const std::string ours = "block 1: 0.5\nblock 0: 7\n";
  CHECK_FALSE(compare_output(ours, "block 0: 7\nblock 1: 0.5\n", 4).equal);
  CHECK(compare_output(sorted_lines(ours), sorted_lines("block 0: 7\nblock 1: 0.5\n"), 4).equal);
  CHECK_FALSE(compare_output(sorted_lines(ours), sorted_lines("block 0: 8\nblock 1: 0.5\n"), 4).equal);
}

TEST_CASE("floats are floats wherever they stand") {
  for (const auto& [ours, theirs] : {std::pair{"(0.333333,-0.25)\n", "(0.333334,-0.25)\n"},
                                     {"1.5-2.500001i\n", "1.5-2.500002i\n"},
                                     {"x=1.234567ms\n", "x=1.234568ms\n"},
                                     {"     9.999|\n", "    10.000|\n"},
                                     {"9.999  |\n", "10.000 |\n"},
                                     {"sum -0.000001\n", "sum 0.000000\n"},
                                     {"sum 1\n", "sum 0.999999\n"},
                                     {"-nan\n", "nan\n"},
                                     {"1.000000e+05\n", "1.000001e+05\n"}}) {
    INFO(ours << theirs);
    CHECK(compare_output(ours, theirs, 4).equal);
  }
}

TEST_CASE("the first line that differs is told, also where one text is longer") {
  const OutputLikeness middle = compare_output("a\nb\nc\n", "a\nx\nc\n", 4);
  CHECK(middle.line == 2);
  CHECK(middle.ours == "b");
  CHECK(middle.theirs == "x");
  const OutputLikeness missing = compare_output("a\n", "a\nmore\n", 4);
  CHECK_FALSE(missing.equal);
  CHECK(missing.line == 2);
  CHECK(missing.theirs == "more");
  CHECK_FALSE(compare_output("", "a\n", 4).equal);
}
