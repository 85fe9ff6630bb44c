// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic and conversions with the rounding in the name against the machine in that rounding mode, over all pairs of
// corner cases (subnormal and largest numbers, zeros, infinities, NaN) and random bits.
#include <warpfiber/intrinsics/cast.hpp>
#include <warpfiber/intrinsics/math_rounding.hpp>

#include "support/catch.hpp"
#include "unit/execution/intrinsics/rounding_mode.hpp"
#include "unit/execution/intrinsics/sample_inputs.hpp"

namespace {

__extension__ using Wide = unsigned __int128;
using namespace warpfiber::test;

const auto kFloats = corners_and<float>(400);
const auto kDoubles = corners_and<double>(400);

/// A family of one argument: its four roundings, and the machine's operation.
template <class Result, class Argument>
struct Unary {
  const char* name;
  Result (*functions[4])(Argument);
  Result (*machine)(Argument);
};

template <class T>
struct Binary {
  const char* name;
  T (*functions[4])(T, T);
  T (*machine)(T, T);
};

constexpr int kModes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
constexpr const char* kSuffixes[4] = {"_rn", "_rz", "_ru", "_rd"};

#define WARPFIBER_FAMILY(name)                 \
#name, {                                     \
    name##_rn, name##_rz, name##_ru, name##_rd \
  }

template <class Result, class Argument>
void check(const Unary<Result, Argument>& family, const std::vector<Argument>& inputs) {
  for (int i = 0; i < 4; ++i) {
    INFO(family.name << kSuffixes[i]);
    CHECK(first_difference(inputs, family.functions[i],
                           [&](Argument x) { return in_mode(kModes[i], family.machine, x); }) == "");
  }
}

template <class T>
void check(const Binary<T>& family, const std::vector<T>& inputs) {
  for (int i = 0; i < 4; ++i) {
    INFO(family.name << kSuffixes[i]);
    CHECK(first_difference(inputs, inputs, family.functions[i],
                           [&](T x, T y) { return in_mode(kModes[i], family.machine, x, y); }) == "");
  }
}

/// x exactly, in any rounding mode.
long double widened(unsigned long long x) {
  return static_cast<long double>(static_cast<long long>(x >> 1)) * 2 + static_cast<int>(x & 1);
}

/// A fused multiply-add over pairs of factors and a few addends, some of which nearly cancel the product.
template <class T>
void check_fused(T (*const (&functions)[4])(T, T, T), T (*machine)(T, T, T), const std::vector<T>& inputs) {
  for (int i = 0; i < 4; ++i) {
    INFO(kSuffixes[i]);
    const auto addend = [](T x, T y, int kind) {
      const T product = x * y;
      const T choices[] = {-product,
                           std::nextafter(-product, T{0}),
                           T{0},
                           -T{0},
                           T{1},
                           product * T{0x1p-27},
                           std::numeric_limits<T>::denorm_min(),
                           -x};
      return choices[kind];
    };
    for (int kind = 0; kind < 8; ++kind) {
      CHECK(first_difference(
                inputs, inputs, [&](T x, T y) { return functions[i](x, y, addend(x, y, kind)); },
                [&](T x, T y) { return in_mode(kModes[i], machine, x, y, addend(x, y, kind)); }) == "");
    }
  }
}

}  // namespace

TEST_CASE("float arithmetic rounds as its name says", "[host-arithmetic]") {
  check<float>({WARPFIBER_FAMILY(__fadd), [](float x, float y) { return x + y; }}, kFloats);
  check<float>({WARPFIBER_FAMILY(__fsub), [](float x, float y) { return x - y; }}, kFloats);
  check<float>({WARPFIBER_FAMILY(__fmul), [](float x, float y) { return x * y; }}, kFloats);
  check<float>({WARPFIBER_FAMILY(__fdiv), [](float x, float y) { return x / y; }}, kFloats);
  check<float, float>({WARPFIBER_FAMILY(__frcp), [](float x) { return 1 / x; }}, kFloats);
  check<float, float>({WARPFIBER_FAMILY(__fsqrt), [](float x) { return std::sqrt(x); }}, kFloats);
}

TEST_CASE("double arithmetic rounds as its name says", "[host-arithmetic]") {
  check<double>({WARPFIBER_FAMILY(__dadd), [](double x, double y) { return x + y; }}, kDoubles);
  check<double>({WARPFIBER_FAMILY(__dsub), [](double x, double y) { return x - y; }}, kDoubles);
  check<double>({WARPFIBER_FAMILY(__dmul), [](double x, double y) { return x * y; }}, kDoubles);
  check<double>({WARPFIBER_FAMILY(__ddiv), [](double x, double y) { return x / y; }}, kDoubles);
  check<double, double>({WARPFIBER_FAMILY(__drcp), [](double x) { return 1 / x; }}, kDoubles);
  check<double, double>({WARPFIBER_FAMILY(__dsqrt), [](double x) { return std::sqrt(x); }}, kDoubles);
}

TEST_CASE("fused multiply-adds round once, as their name says", "[host-arithmetic]") {
  const auto few_floats = corners_and<float>(60);
  const auto few_doubles = corners_and<double>(60);
  check_fused<float>(
      {__fmaf_rn, __fmaf_rz, __fmaf_ru, __fmaf_rd}, [](float x, float y, float z) { return std::fma(x, y, z); },
      few_floats);
  check_fused<float>(
      {__fmaf_ieee_rn, __fmaf_ieee_rz, __fmaf_ieee_ru, __fmaf_ieee_rd},
      [](float x, float y, float z) { return std::fma(x, y, z); }, few_floats);
  check_fused<double>(
      {__fma_rn, __fma_rz, __fma_ru, __fma_rd}, [](double x, double y, double z) { return std::fma(x, y, z); },
      few_doubles);
}

TEST_CASE("what cancels is -0 only when rounding down") {
  CHECK(std::signbit(__fadd_rd(1, -1)));
  CHECK(std::signbit(__fma_rd(2, 3, -6)));
  CHECK_FALSE(std::signbit(__fadd_rz(1, -1)));
  CHECK_FALSE(std::signbit(__dsub_ru(0, 0)));
  CHECK_FALSE(std::signbit(__dadd_rn(1, -1)));
}

TEST_CASE("conversions to floating point round as their name says", "[host-arithmetic]") {
  check<float, double>({WARPFIBER_FAMILY(__double2float), [](double x) { return static_cast<float>(x); }}, kDoubles);
  check<float, int>({WARPFIBER_FAMILY(__int2float), [](int x) { return static_cast<float>(x); }},
                    corners_and<int>(1000));
  check<float, unsigned>(
      {WARPFIBER_FAMILY(__uint2float), [](unsigned x) { return static_cast<float>(static_cast<long long>(x)); }},
      corners_and<unsigned>(1000));
  check<float, long long>({WARPFIBER_FAMILY(__ll2float), [](long long x) { return static_cast<float>(x); }},
                          corners_and<long long>(1000));
  check<double, long long>({WARPFIBER_FAMILY(__ll2double), [](long long x) { return static_cast<double>(x); }},
                           corners_and<long long>(1000));
  // Unsigned 64-bit numbers by way of long double, which holds them all.
  check<float, unsigned long long>(
      {WARPFIBER_FAMILY(__ull2float), [](unsigned long long x) { return static_cast<float>(widened(x)); }},
      corners_and<unsigned long long>(1000));
  check<double, unsigned long long>(
      {WARPFIBER_FAMILY(__ull2double), [](unsigned long long x) { return static_cast<double>(widened(x)); }},
      corners_and<unsigned long long>(1000));
  CHECK(__int2double_rn(-7) == -7.0);
  CHECK(__uint2double_rn(0xffffffffU) == 4294967295.0);
}

TEST_CASE("directed rounding does not depend on the thread's rounding mode nor change it") {
  const RoundingMode scope(FE_UPWARD);
  const double third = hidden(3.0);
  CHECK(__ddiv_rd(1, third) < __ddiv_ru(1, third));
  CHECK(__fadd_rz(1, 0x1p-30F) == 1);
  CHECK(__double2float_rd(1 + 0x1p-40) == 1);
  CHECK(__ll2double_rz((1LL << 60) + 1) == 0x1p60);
  CHECK(std::fegetround() == FE_UPWARD);
}

TEST_CASE("the reciprocal square root is correctly rounded for every significand") {
  // 1/sqrt(x) is nearest to r when (2r - ulp)^2 x < 4 < (2r + ulp)^2 x; all significands, both parities of the
  // exponent.
  unsigned wrong = 0;
  for (std::uint32_t bits = 0x3f800000; bits < 0x40800000; ++bits) {
    const float x = std::bit_cast<float>(bits);
    const float r = __frsqrt_rn(x);
    int exponent = 0;
    const auto significand =
        static_cast<std::uint64_t>(std::ldexp(std::frexp(r, &exponent), 24));  // r = significand 2^(exponent-24)
    const auto below = static_cast<Wide>(2 * significand - 1) * (2 * significand - 1);
    const auto above = static_cast<Wide>(2 * significand + 1) * (2 * significand + 1);
    const auto scaled = static_cast<std::uint64_t>(std::ldexp(x, 23));  // x = scaled 2^-23
    const Wide one = static_cast<Wide>(1) << (2 * (25 - exponent) + 23);
    if (below * scaled > one || above * scaled < one) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("the reciprocal square root of a limit is a limit") {
  CHECK(__frsqrt_rn(0.0F) == std::numeric_limits<float>::infinity());
  CHECK(__frsqrt_rn(-0.0F) == -std::numeric_limits<float>::infinity());
  CHECK(__frsqrt_rn(std::numeric_limits<float>::infinity()) == 0);
  CHECK(std::isnan(__frsqrt_rn(-1)));
  CHECK(__frsqrt_rn(std::numeric_limits<float>::denorm_min()) == 0x1.6a09e6p+74F);
}

TEST_CASE("pairs are worked on one by one") {
  const float2 sum = __fadd2_ru({1, 2}, {0x1p-30F, 3});
  CHECK(sum.x == 1 + std::numeric_limits<float>::epsilon());
  CHECK(sum.y == 5);
  const float2 product = __fmul2_rn({2, 3}, {4, 5});
  CHECK(product.x + product.y == 23);
  const float2 fused = __ffma2_rd({1, 2}, {1, 2}, {-1, 1});
  CHECK(std::signbit(fused.x));
  CHECK(fused.y == 5);
}
