// SPDX-License-Identifier: Apache-2.0
//
// Integer intrinsics against references that go bit by bit or through 128-bit arithmetic, over all pairs of corner
// cases.
#include <algorithm>
#include <array>

#include <climits>

#include <warpfiber/intrinsics/integer.hpp>

#include "support/catch.hpp"
#include "unit/execution/intrinsics/sample_inputs.hpp"

namespace {

using namespace warpfiber::test;
__extension__ using Wide = __int128;
using u64 = unsigned long long;
using i64 = long long;

const auto kInts = corners_and<int>(200);
const auto kUints = corners_and<unsigned>(200);
const auto kLongs = corners_and<i64>(200);
const auto kUlongs = corners_and<u64>(200);

template <class T>
bool bit(T x, int index) {
  return (static_cast<std::make_unsigned_t<T>>(x) >> index & 1) != 0;
}

template <class T>
int count_ones(T x) {
  int ones = 0;
  for (int i = 0; i < static_cast<int>(8 * sizeof(T)); ++i) ones += bit(x, i) ? 1 : 0;
  return ones;
}

template <class T>
int first_one(T x) {
  for (int i = 0; i < static_cast<int>(8 * sizeof(T)); ++i) {
    if (bit(x, i)) return i + 1;
  }
  return 0;
}

template <class T>
int leading_zeros(T x) {
  const int width = static_cast<int>(8 * sizeof(T));
  for (int i = 0; i < width; ++i) {
    if (bit(x, width - 1 - i)) return i;
  }
  return width;
}

template <class T>
T reversed(T x) {
  T result = 0;
  const int width = static_cast<int>(8 * sizeof(T));
  for (int i = 0; i < width; ++i) {
    if (bit(x, i)) result |= T{1} << (width - 1 - i);
  }
  return result;
}

/// hi:lo shifted bit by bit; positive counts go left.
u64 shifted(unsigned lo, unsigned hi, int count) {
  u64 value = static_cast<u64>(hi) << 32 | lo;
  for (; count > 0; --count) value <<= 1;
  for (; count < 0; ++count) value >>= 1;
  return value;
}

unsigned permuted(unsigned x, unsigned y, unsigned s) {
  std::array<unsigned char, 8> bytes{};
  for (int i = 0; i < 4; ++i) {
    bytes[static_cast<std::size_t>(i)] = static_cast<unsigned char>(x >> 8 * i);
    bytes[static_cast<std::size_t>(i + 4)] = static_cast<unsigned char>(y >> 8 * i);
  }
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) result |= static_cast<unsigned>(bytes[s >> 4 * i & 7]) << 8 * i;
  return result;
}

unsigned nth_set_bit(unsigned mask, unsigned base, int offset) {
  std::vector<unsigned> ones;
  for (unsigned i = 0; i < 32; ++i) {
    if (bit(mask, static_cast<int>(i)) && (offset == 0 ? i == base : offset > 0 ? i >= base : i <= base))
      ones.push_back(i);
  }
  if (offset < 0) std::reverse(ones.begin(), ones.end());
  const i64 index = offset == 0 ? 0 : std::abs(static_cast<i64>(offset)) - 1;
  return index < static_cast<i64>(ones.size()) ? ones[static_cast<std::size_t>(index)] : 0xffffffffU;
}

Wide low24(int x) {
  return static_cast<int>(static_cast<unsigned>(x) << 8) / 256;
}

}  // namespace

TEST_CASE("bits are counted and found as the eye does") {
  CHECK(first_difference(kUints, __popc, count_ones<unsigned>) == "");
  CHECK(first_difference(kUlongs, __popcll, count_ones<u64>) == "");
  CHECK(first_difference(kInts, __ffs, first_one<int>) == "");
  CHECK(first_difference(kLongs, __ffsll, first_one<i64>) == "");
  CHECK(first_difference(kInts, __clz, leading_zeros<int>) == "");
  CHECK(first_difference(kLongs, __clzll, leading_zeros<i64>) == "");
}

TEST_CASE("zero has no bit to find") {
  STATIC_REQUIRE(__ffs(0) == 0);
  STATIC_REQUIRE(__ffsll(0) == 0);
  STATIC_REQUIRE(__clz(0) == 32);
  STATIC_REQUIRE(__clzll(0) == 64);
}

TEST_CASE("bits come back in reverse order") {
  CHECK(first_difference(kUints, __brev, reversed<unsigned>) == "");
  CHECK(first_difference(kUlongs, __brevll, reversed<u64>) == "");
  STATIC_REQUIRE(__brev(1) == 0x80000000U);
}

TEST_CASE("byte_perm selects by three bits of each nibble and ignores the fourth") {
  for (const unsigned selector : {0x0123U, 0x3210U, 0x7654U, 0x4567U, 0xfedcU, 0x8888U, 0x12345670U}) {
    CAPTURE(selector);
    CHECK(first_difference(
              kUints, kUints, [&](unsigned x, unsigned y) { return __byte_perm(x, y, selector); },
              [&](unsigned x, unsigned y) { return permuted(x, y, selector); }) == "");
  }
  STATIC_REQUIRE(__byte_perm(0x33221100U, 0x77665544U, 0x9) == 0x00000011U);
}

TEST_CASE("funnel shifts wrap the count at 32, the clamped ones stop there") {
  const int shift = GENERATE(0, 1, 7, 31, 32, 33, 63, 64, 95);
  const auto count = static_cast<unsigned>(shift);
  CAPTURE(shift);
  const int wrapped = shift % 32;
  const int clamped = std::min(shift, 32);
  const auto check = [&](auto actual, auto expected) {
    CHECK(first_difference(kUints, kUints, actual, expected) == "");
  };
  check([&](unsigned lo, unsigned hi) { return __funnelshift_l(lo, hi, count); },
        [&](unsigned lo, unsigned hi) { return static_cast<unsigned>(shifted(lo, hi, wrapped) >> 32); });
  check([&](unsigned lo, unsigned hi) { return __funnelshift_r(lo, hi, count); },
        [&](unsigned lo, unsigned hi) { return static_cast<unsigned>(shifted(lo, hi, -wrapped)); });
  check([&](unsigned lo, unsigned hi) { return __funnelshift_lc(lo, hi, count); },
        [&](unsigned lo, unsigned hi) { return static_cast<unsigned>(shifted(lo, hi, clamped) >> 32); });
  check([&](unsigned lo, unsigned hi) { return __funnelshift_rc(lo, hi, count); },
        [&](unsigned lo, unsigned hi) { return static_cast<unsigned>(shifted(lo, hi, -clamped)); });
}

TEST_CASE("high halves of products are those of the exact product") {
  CHECK(first_difference(kInts, kInts, __mulhi, [](int x, int y) { return static_cast<int>(Wide{x} * y >> 32); }) ==
        "");
  CHECK(first_difference(kUints, kUints, __umulhi,
                         [](unsigned x, unsigned y) { return static_cast<unsigned>(Wide{x} * y >> 32); }) == "");
  CHECK(first_difference(kLongs, kLongs, __mul64hi, [](i64 x, i64 y) { return static_cast<i64>(Wide{x} * y >> 64); }) ==
        "");
  CHECK(first_difference(kUlongs, kUlongs, __umul64hi, [](u64 x, u64 y) {
          const u64 a = x >> 32, b = x & 0xffffffffU, c = y >> 32, d = y & 0xffffffffU;  // schoolbook, no wide type
          const u64 middle = a * d + (b * d >> 32);
          const u64 other = b * c + (middle & 0xffffffffU);
          return a * c + (middle >> 32) + (other >> 32);
        }) == "");
}

TEST_CASE("24-bit products use 24 bits of each factor and keep 32 of the result") {
  CHECK(first_difference(kInts, kInts, __mul24, [](int x, int y) { return static_cast<int>(low24(x) * low24(y)); }) ==
        "");
  CHECK(first_difference(kUints, kUints, __umul24, [](unsigned x, unsigned y) {
          return static_cast<unsigned>(Wide{x % (1U << 24)} * (y % (1U << 24)));
        }) == "");
}

TEST_CASE("averages and differences do not overflow in between") {
  CHECK(first_difference(kInts, kInts, __hadd, [](int x, int y) { return static_cast<int>((Wide{x} + y) >> 1); }) ==
        "");
  CHECK(first_difference(kInts, kInts, __rhadd,
                         [](int x, int y) { return static_cast<int>((Wide{x} + y + 1) >> 1); }) == "");
  CHECK(first_difference(kUints, kUints, __uhadd,
                         [](unsigned x, unsigned y) { return static_cast<unsigned>((Wide{x} + y) >> 1); }) == "");
  CHECK(first_difference(kUints, kUints, __urhadd,
                         [](unsigned x, unsigned y) { return static_cast<unsigned>((Wide{x} + y + 1) >> 1); }) == "");
  CHECK(first_difference(
            kInts, kInts, [](int x, int y) { return __sad(x, y, 0xfffffff0U); },
            [](int x, int y) { return static_cast<unsigned>((x > y ? Wide{x} - y : Wide{y} - x) + 0xfffffff0U); }) ==
        "");
  CHECK(first_difference(
            kUints, kUints, [](unsigned x, unsigned y) { return __usad(x, y, 7); },
            [](unsigned x, unsigned y) { return static_cast<unsigned>((x > y ? Wide{x} - y : Wide{y} - x) + 7); }) ==
        "");
}

TEST_CASE("fns finds the n-th set bit from a base in either direction") {
  const int offset = GENERATE(0, 1, 2, 5, 31, 32, 33, -1, -2, -7, -32, -33, INT_MIN, INT_MAX);
  CAPTURE(offset);
  std::vector<unsigned> bases;
  for (unsigned base = 0; base < 34; ++base) bases.push_back(base);
  CHECK(first_difference(
            kUints, bases, [&](unsigned mask, unsigned base) { return __fns(mask, base, offset); },
            [&](unsigned mask, unsigned base) { return base < 32 ? nth_set_bit(mask, base, offset) : 0xffffffffU; }) ==
        "");
}

TEST_CASE("four-byte dot products add to the accumulator modulo 2^32") {
  const auto expected_signed = [](int a, int b) {
    const auto x = std::bit_cast<std::array<signed char, 4>>(a);
    const auto y = std::bit_cast<std::array<signed char, 4>>(b);
    return static_cast<int>(Wide{INT_MAX} + x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3]);
  };
  const auto expected_unsigned = [](unsigned a, unsigned b) {
    const auto x = std::bit_cast<std::array<unsigned char, 4>>(a);
    const auto y = std::bit_cast<std::array<unsigned char, 4>>(b);
    return static_cast<unsigned>(Wide{UINT_MAX} + x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3]);
  };
  CHECK(first_difference(
            kInts, kInts, [](int a, int b) { return __dp4a(a, b, INT_MAX); }, expected_signed) == "");
  CHECK(first_difference(
            kUints, kUints, [](unsigned a, unsigned b) { return __dp4a(a, b, UINT_MAX); }, expected_unsigned) == "");
  CHECK(first_difference(
            kInts, kInts,
            [](int a, int b) { return __dp4a(std::bit_cast<char4>(a), std::bit_cast<char4>(b), INT_MAX); },
            expected_signed) == "");
  CHECK(first_difference(
            kUints, kUints,
            [](unsigned a, unsigned b) { return __dp4a(std::bit_cast<uchar4>(a), std::bit_cast<uchar4>(b), UINT_MAX); },
            expected_unsigned) == "");
}

TEST_CASE("halfword dot products take the lower or the upper bytes") {
  const std::size_t first = GENERATE(0U, 2U);
  CAPTURE(first);
  CHECK(first_difference(
            kInts, kInts,
            [&](int a, int b) { return first == 0 ? __dp2a_lo(a, b, INT_MIN) : __dp2a_hi(a, b, INT_MIN); },
            [&](int a, int b) {
              const auto x = std::bit_cast<std::array<short, 2>>(a);
              const auto y = std::bit_cast<std::array<signed char, 4>>(b);
              return static_cast<int>(Wide{INT_MIN} + x[0] * y[first] + x[1] * y[first + 1]);
            }) == "");
  CHECK(first_difference(
            kUints, kUints,
            [&](unsigned a, unsigned b) { return first == 0 ? __dp2a_lo(a, b, 9U) : __dp2a_hi(a, b, 9U); },
            [&](unsigned a, unsigned b) {
              const auto x = std::bit_cast<std::array<unsigned short, 2>>(a);
              const auto y = std::bit_cast<std::array<unsigned char, 4>>(b);
              return static_cast<unsigned>(Wide{9} + x[0] * y[first] + x[1] * y[first + 1]);
            }) == "");
}
