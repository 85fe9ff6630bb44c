// SPDX-License-Identifier: Apache-2.0
//
// Every mathematical function of CUDA's under its names, as a .cu file calls it: at global scope for double, for float
// with the suffix f and for float as an overload, each called once and compared with the long double function or a
// constant to 33 digits. What CUDA has beyond the C library has more tests in tests/unit/execution/intrinsics.
#include <cmath>

#include <warpfiber/intrinsics/math.hpp>

#include "support/catch.hpp"

namespace {

using Long = long double;

struct Unary {
  const char* name;
  double (*wide)(double);
  float (*suffixed)(float);
  float (*overload)(float);
  double argument;
  Long expected;
};
struct Binary {
  const char* name;
  double (*wide)(double, double);
  float (*suffixed)(float, float);
  float (*overload)(float, float);
  double left, right;
  Long expected;
};

#define WARPFIBER_UNARY(name, argument, expected) \
  { #name, ::name, ::name##f, ::name, argument, expected }
#define WARPFIBER_AS_LONG(name, argument) WARPFIBER_UNARY(name, argument, name##l(static_cast<Long>(argument)))
#define WARPFIBER_BINARY(name, left, right) \
  { #name, ::name, ::name##f, ::name, left, right, name##l(static_cast <Long>(left), static_cast <Long>(right)) }

constexpr Long kPi = 3.14159265358979323846264338327950288L;

// clang-format off
const Unary kUnary[] = {
    WARPFIBER_AS_LONG(acos, 0.375), WARPFIBER_AS_LONG(acosh, 2.5), WARPFIBER_AS_LONG(asin, 0.375),
    WARPFIBER_AS_LONG(asinh, -2.5), WARPFIBER_AS_LONG(atan, 0.75), WARPFIBER_AS_LONG(atanh, 0.75),
    WARPFIBER_AS_LONG(cbrt, 10), WARPFIBER_AS_LONG(ceil, -2.5), WARPFIBER_AS_LONG(cos, 1.25),
    WARPFIBER_AS_LONG(cosh, 1.25), WARPFIBER_AS_LONG(erf, 0.75), WARPFIBER_AS_LONG(erfc, 0.75),
    WARPFIBER_AS_LONG(exp, 1.25), WARPFIBER_AS_LONG(exp10, 1.25), WARPFIBER_AS_LONG(exp2, 1.25),
    WARPFIBER_AS_LONG(expm1, 0.125), WARPFIBER_AS_LONG(fabs, -1.25), WARPFIBER_AS_LONG(floor, -2.5),
    WARPFIBER_AS_LONG(j0, 1.25), WARPFIBER_AS_LONG(j1, 1.25), WARPFIBER_AS_LONG(lgamma, 4.5),
    WARPFIBER_AS_LONG(log, 1.75), WARPFIBER_AS_LONG(log10, 1.75), WARPFIBER_AS_LONG(log1p, 0.125),
    WARPFIBER_AS_LONG(log2, 1.75), WARPFIBER_AS_LONG(logb, 20), WARPFIBER_AS_LONG(nearbyint, 2.5),
    WARPFIBER_AS_LONG(rint, 3.5), WARPFIBER_AS_LONG(round, 2.5), WARPFIBER_AS_LONG(sin, 1.25),
    WARPFIBER_AS_LONG(sinh, 1.25), WARPFIBER_AS_LONG(sqrt, 2), WARPFIBER_AS_LONG(tan, 1.25),
    WARPFIBER_AS_LONG(tanh, 1.25), WARPFIBER_AS_LONG(tgamma, 4.5), WARPFIBER_AS_LONG(trunc, -2.5),
    WARPFIBER_AS_LONG(y0, 1.25), WARPFIBER_AS_LONG(y1, 1.25),
    WARPFIBER_UNARY(rsqrt, 2, 1 / sqrtl(2)),
    WARPFIBER_UNARY(rcbrt, 10, 1 / cbrtl(10)),
    WARPFIBER_UNARY(sinpi, 0.375, sinl(kPi * 0.375L)),
    WARPFIBER_UNARY(cospi, 0.375, cosl(kPi * 0.375L)),
    WARPFIBER_UNARY(erfinv, 0.5, 0.476936276204469873381418353643131L),
    WARPFIBER_UNARY(erfcinv, 0.5, 0.476936276204469873381418353643131L),
    WARPFIBER_UNARY(erfcx, 0.75, expl(0.5625L) * erfcl(0.75L)),
    WARPFIBER_UNARY(normcdf, 0.75, erfcl(-0.75L / sqrtl(2)) / 2),
    WARPFIBER_UNARY(normcdfinv, 0.25, -0.674489750196081743202227014541307L),
    WARPFIBER_UNARY(cyl_bessel_i0, 1, 1.26606587775200833559824462521472L),
    WARPFIBER_UNARY(cyl_bessel_i1, 1, 0.565159103992485027207696027609863L),
};
const Binary kBinary[] = {
    WARPFIBER_BINARY(atan2, -1.5, -0.5), WARPFIBER_BINARY(copysign, 1.5, -0.0), WARPFIBER_BINARY(fdim, 2.5, 1.25),
    WARPFIBER_BINARY(fmax, 2.5, 1.25), WARPFIBER_BINARY(fmin, 2.5, 1.25), WARPFIBER_BINARY(fmod, 7.5, 2.25),
    WARPFIBER_BINARY(hypot, 1.5, 2.5), WARPFIBER_BINARY(pow, 1.5, 2.5), WARPFIBER_BINARY(remainder, 7.5, 2.25),
};
// clang-format on

constexpr Long kFew = 4;

bool near(double actual, Long expected) {
  return std::fabs(static_cast<Long>(actual) - expected) <= kFew * 0x1p-53L * std::fabs(expected);
}
bool near(float actual, Long expected) {
  return std::fabs(static_cast<Long>(actual) - expected) <= kFew * 0x1p-24L * std::fabs(expected);
}

}  // namespace

TEST_CASE("functions of one number are there for double and, twice, for float", "[host-arithmetic]") {
  for (const Unary& row : kUnary) {
    INFO(row.name);
    const auto narrow = static_cast<float>(row.argument);
    CHECK(near(row.wide(row.argument), row.expected));
    CHECK(near(row.suffixed(narrow), row.expected));
    CHECK(row.overload(narrow) == row.suffixed(narrow));
  }
}

TEST_CASE("functions of two numbers are there for double and, twice, for float", "[host-arithmetic]") {
  for (const Binary& row : kBinary) {
    INFO(row.name);
    const auto left = static_cast<float>(row.left);
    const auto right = static_cast<float>(row.right);
    CHECK(near(row.wide(row.left, row.right), row.expected));
    CHECK(near(row.suffixed(left, right), row.expected));
    CHECK(row.overload(left, right) == row.suffixed(left, right));
  }
}

TEST_CASE("functions that take numbers apart are there for double and float") {
  int exponent = 0;
  int quotient = 0;
  double whole = 0;
  float narrow_whole = 0;
  CHECK(frexp(20.0, &exponent) == 0.625);
  CHECK(exponent == 5);
  CHECK(frexpf(0.75F, &exponent) == 0.75F);
  CHECK(frexp(3.0F, &exponent) == 0.75F);
  CHECK(exponent == 2);
  CHECK(modf(-2.25, &whole) == -0.25);
  CHECK(whole == -2);
  CHECK(modff(2.25F, &narrow_whole) == 0.25F);
  CHECK(modf(3.5F, &narrow_whole) == 0.5F);
  CHECK(narrow_whole == 3);
  CHECK(remquo(7.5, 2.0, &quotient) == -0.5);
  CHECK(quotient == 4);
  CHECK(remquof(5.0F, 3.0F, &quotient) == -1);
  CHECK(remquo(4.0F, 3.0F, &quotient) == 1);
  CHECK(quotient == 1);
  CHECK(ilogb(20.0) == 4);
  CHECK(ilogbf(0.25F) == -2);
  CHECK(ilogb(9.0F) == 3);
}

TEST_CASE("functions that put numbers together are there for double and float") {
  CHECK(ldexp(1.5, 3) == 12);
  CHECK(ldexpf(1.5F, 3) == 12);
  CHECK(ldexp(1.5F, -1) == 0.75F);
  CHECK(scalbn(1.5, 3) == 12);
  CHECK(scalbnf(1.5F, 3) == 12);
  CHECK(scalbln(1.5, -1L) == 0.75);
  CHECK(scalblnf(1.5F, -1L) == 0.75F);
  CHECK(nextafter(1.0, 2.0) == 1 + 0x1p-52);
  CHECK(nextafterf(1.0F, 0.0F) == 1 - 0x1p-24F);
  CHECK(nextafter(1.0F, 2.0F) == 1 + 0x1p-23F);
  CHECK(fma(1.5, 2.0, 0.25) == 3.25);
  CHECK(fmaf(1.5F, 2.0F, 0.25F) == 3.25F);
  CHECK(fma(1.5F, 2.0F, 0.25F) == 3.25F);
  CHECK(fdivide(1.0, 4.0) == 0.25);
  CHECK(fdividef(1.0F, 4.0F) == 0.25F);
  CHECK(std::isnan(nan("")));
  CHECK(std::isnan(nanf("")));
}

TEST_CASE("functions with integers are there for double and float", "[host-arithmetic]") {
  CHECK(near(jn(2, 1.25), jnl(2, 1.25L)));
  CHECK(near(jnf(2, 1.25F), jnl(2, 1.25L)));
  CHECK(near(yn(2, 1.25), ynl(2, 1.25L)));
  CHECK(near(ynf(2, 1.25F), ynl(2, 1.25L)));
  CHECK(lrint(2.5) == 2);
  CHECK(lrintf(3.5F) == 4);
  CHECK(llrint(-2.5) == -2);
  CHECK(llrintf(-3.5F) == -4);
  CHECK(lround(2.5) == 3);
  CHECK(lroundf(-2.5F) == -3);
  CHECK(llround(-0.5) == -1);
  CHECK(llroundf(0.5F) == 1);
  CHECK(::abs(-3) == 3);
  CHECK(::abs(-3L) == 3);
  CHECK(::abs(-3LL) == 3);
  CHECK(::abs(-3.5F) == 3.5F);
  CHECK(labs(-4L) == 4);
  CHECK(llabs(-5LL) == 5);
}

TEST_CASE("functions of several numbers are there for double and float", "[host-arithmetic]") {
  const double three[] = {1.5, 2.5, 3.5};
  const float narrow_three[] = {1.5F, 2.5F, 3.5F};
  const Long squares = 2.25L + 6.25L + 12.25L;
  double sine = 0;
  double cosine = 0;
  float narrow_sine = 0;
  float narrow_cosine = 0;
  CHECK(near(norm3d(1.5, 2.5, 3.5), sqrtl(squares)));
  CHECK(near(norm3df(1.5F, 2.5F, 3.5F), sqrtl(squares)));
  CHECK(near(norm4d(1.5, 2.5, 3.5, 0.5), sqrtl(squares + 0.25L)));
  CHECK(near(norm4df(1.5F, 2.5F, 3.5F, 0.5F), sqrtl(squares + 0.25L)));
  CHECK(near(norm(3, three), sqrtl(squares)));
  CHECK(near(normf(3, narrow_three), sqrtl(squares)));
  CHECK(near(rnorm3d(1.5, 2.5, 3.5), 1 / sqrtl(squares)));
  CHECK(near(rnorm3df(1.5F, 2.5F, 3.5F), 1 / sqrtl(squares)));
  CHECK(near(rnorm4d(1.5, 2.5, 3.5, 0.5), 1 / sqrtl(squares + 0.25L)));
  CHECK(near(rnorm4df(1.5F, 2.5F, 3.5F, 0.5F), 1 / sqrtl(squares + 0.25L)));
  CHECK(near(rnorm(3, three), 1 / sqrtl(squares)));
  CHECK(near(rnormf(3, narrow_three), 1 / sqrtl(squares)));
  CHECK(near(rhypot(1.5, 2.5), 1 / sqrtl(8.5L)));
  CHECK(near(rhypotf(1.5F, 2.5F), 1 / sqrtl(8.5L)));
  sincos(1.25, &sine, &cosine);
  sincosf(1.25F, &narrow_sine, &narrow_cosine);
  CHECK((near(sine, sinl(1.25L)) && near(cosine, cosl(1.25L))));
  CHECK((near(narrow_sine, sinl(1.25L)) && near(narrow_cosine, cosl(1.25L))));
  sincospi(0.375, &sine, &cosine);
  sincospif(0.375F, &narrow_sine, &narrow_cosine);
  CHECK((near(sine, sinl(kPi * 0.375L)) && near(cosine, cosl(kPi * 0.375L))));
  CHECK((near(narrow_sine, sinl(kPi * 0.375L)) && near(narrow_cosine, cosl(kPi * 0.375L))));
}
