// SPDX-License-Identifier: Apache-2.0
//
// Casting intrinsics: bits against memcpy, conversions to integers against long double, which holds every float, double
// and 64-bit integer, rounded by the machine in each mode and then brought into range as PTX's cvt says.
#include <cstring>

#include <warpfiber/intrinsics/cast.hpp>

#include "support/catch.hpp"
#include "unit/execution/intrinsics/rounding_mode.hpp"
#include "unit/execution/intrinsics/sample_inputs.hpp"

namespace {

using namespace warpfiber::test;

constexpr int kModes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

/// What cvt makes of x: rounded, then saturated; NaN is 0 from float to 32 bits and the top bit alone otherwise.
template <class Integer, class Argument>
Integer converted(Argument x, int mode) {
  using Limits = std::numeric_limits<Integer>;
  constexpr bool kNanIsZero = sizeof(Argument) == 4 && sizeof(Integer) == 4;
  if (x != x) return kNanIsZero ? Integer{0} : static_cast<Integer>(std::uint64_t{1} << (8 * sizeof(Integer) - 1));
  const long double whole = in_mode(
      mode, [](long double value) { return std::nearbyint(value); }, static_cast<long double>(x));
  if (whole <= static_cast<long double>(Limits::min())) return Limits::min();
  if (whole >= static_cast<long double>(Limits::max())) return Limits::max();
  return static_cast<Integer>(whole);
}

template <class Integer, class Argument>
void check(const char* name, Integer (*const (&functions)[4])(Argument)) {
  const auto inputs = corners_and<Argument>(4000);
  for (int i = 0; i < 4; ++i) {
    INFO(name << " in rounding " << i);
    CHECK(first_difference(inputs, functions[i], [&](Argument x) { return converted<Integer>(x, kModes[i]); }) == "");
  }
}

#define WARPFIBER_CHECK(Integer, Argument, name) \
  check<Integer, Argument>(#name, {name##_rn, name##_rz, name##_ru, name##_rd})

template <class To, class From>
To copied(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace

TEST_CASE("floating point converts to integers with the rounding in the name", "[host-arithmetic]") {
  WARPFIBER_CHECK(int, float, __float2int);
  WARPFIBER_CHECK(unsigned, float, __float2uint);
  WARPFIBER_CHECK(long long, float, __float2ll);
  WARPFIBER_CHECK(unsigned long long, float, __float2ull);
  WARPFIBER_CHECK(int, double, __double2int);
  WARPFIBER_CHECK(unsigned, double, __double2uint);
  WARPFIBER_CHECK(long long, double, __double2ll);
  WARPFIBER_CHECK(unsigned long long, double, __double2ull);
}

TEST_CASE("ties go to the even integer") {
  STATIC_REQUIRE(__float2int_rn(0.5F) == 0);
  STATIC_REQUIRE(__float2int_rn(1.5F) == 2);
  STATIC_REQUIRE(__float2int_rn(-2.5F) == -2);
  STATIC_REQUIRE(__double2ll_rn(-3.5) == -4);
  STATIC_REQUIRE(__double2ull_rn(4503599627370495.5) == 4503599627370496);
}

TEST_CASE("out of range saturates and NaN has the hardware's value") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  STATIC_REQUIRE(__float2int_rz(1e10F) == 0x7fffffff);
  STATIC_REQUIRE(__float2uint_ru(-0.5F) == 0);
  STATIC_REQUIRE(__double2int_ru(2147483646.5) == 0x7fffffff);
  STATIC_REQUIRE(__float2int_rn(kNan) == 0);
  STATIC_REQUIRE(__double2uint_rn(kNan) == 0x80000000U);
  STATIC_REQUIRE(__float2ll_rn(kNan) == std::numeric_limits<long long>::min());
  STATIC_REQUIRE(__double2ull_rd(kNan) == 0x8000000000000000ULL);
}

TEST_CASE("bits are kept when seen as another type") {
  CHECK(first_difference(corners_and<float>(200), __float_as_int, copied<int, float>) == "");
  CHECK(first_difference(corners_and<float>(200), __float_as_uint, copied<unsigned, float>) == "");
  CHECK(first_difference(corners_and<int>(200), __int_as_float, copied<float, int>) == "");
  CHECK(first_difference(corners_and<unsigned>(200), __uint_as_float, copied<float, unsigned>) == "");
  CHECK(first_difference(corners_and<double>(200), __double_as_longlong, copied<long long, double>) == "");
  CHECK(first_difference(corners_and<long long>(200), __longlong_as_double, copied<double, long long>) == "");
}

TEST_CASE("a double is its two halves") {
  CHECK(__double2hiint(-1.0) == static_cast<int>(0xbff00000U));
  CHECK(__double2loint(1.0 + 0x1p-52) == 1);
  CHECK(first_difference(
            corners_and<double>(200), [](double x) { return __hiloint2double(__double2hiint(x), __double2loint(x)); },
            [](double x) { return x; }) == "");
}
