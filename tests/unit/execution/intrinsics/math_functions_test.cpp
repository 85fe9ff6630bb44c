// SPDX-License-Identifier: Apache-2.0
//
// CUDA's mathematics at global scope: the overloads a .cu file expects, special values as CUDA's documentation lists
// them, and where the fast forms answer differently in kind from the exact ones.
#include <warpfiber/intrinsics/math.hpp>

#include <limits>
#include <type_traits>
#include <utility>

#include "support/catch.hpp"
#include "unit/execution/intrinsics/sample_inputs.hpp"

namespace {

using warpfiber::test::identical;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr float kInfF = std::numeric_limits<float>::infinity();
constexpr float kNanF = std::numeric_limits<float>::quiet_NaN();

struct SpecialValue {
  const char* name;
  double (*function)(double);
  float (*narrow)(float);
  double argument;
  double result;
};

#define WARPFIBER_SPECIAL(name, argument, result) \
  { #name, name, name##f, argument, result }
const SpecialValue kSpecialValues[] = {
    WARPFIBER_SPECIAL(rsqrt, 0.0, kInf),
    WARPFIBER_SPECIAL(rsqrt, -0.0, -kInf),
    WARPFIBER_SPECIAL(rsqrt, kInf, 0.0),
    WARPFIBER_SPECIAL(rsqrt, -1.0, kNan),
    WARPFIBER_SPECIAL(rcbrt, 0.0, kInf),
    WARPFIBER_SPECIAL(rcbrt, -0.0, -kInf),
    WARPFIBER_SPECIAL(rcbrt, -kInf, -0.0),
    WARPFIBER_SPECIAL(rcbrt, -8.0, -0.5),
    WARPFIBER_SPECIAL(sinpi, 0.0, 0.0),
    WARPFIBER_SPECIAL(sinpi, -0.0, -0.0),
    WARPFIBER_SPECIAL(sinpi, 0.5, 1.0),
    WARPFIBER_SPECIAL(sinpi, 1.0, 0.0),
    WARPFIBER_SPECIAL(sinpi, -2.0, -0.0),
    WARPFIBER_SPECIAL(sinpi, -1.5, 1.0),
    WARPFIBER_SPECIAL(sinpi, 1e30, 0.0),
    WARPFIBER_SPECIAL(sinpi, kInf, kNan),
    WARPFIBER_SPECIAL(sinpi, kNan, kNan),
    WARPFIBER_SPECIAL(cospi, 0.0, 1.0),
    WARPFIBER_SPECIAL(cospi, 0.5, 0.0),
    WARPFIBER_SPECIAL(cospi, 1.5, 0.0),
    WARPFIBER_SPECIAL(cospi, -3.0, -1.0),
    WARPFIBER_SPECIAL(cospi, 1e30, 1.0),
    WARPFIBER_SPECIAL(cospi, -kInf, kNan),
    WARPFIBER_SPECIAL(erfinv, 0.0, 0.0),
    WARPFIBER_SPECIAL(erfinv, -0.0, -0.0),
    WARPFIBER_SPECIAL(erfinv, 1.0, kInf),
    WARPFIBER_SPECIAL(erfinv, -1.0, -kInf),
    WARPFIBER_SPECIAL(erfinv, 1.5, kNan),
    WARPFIBER_SPECIAL(erfinv, kNan, kNan),
    WARPFIBER_SPECIAL(erfcinv, 0.0, kInf),
    WARPFIBER_SPECIAL(erfcinv, -0.0, kInf),
    WARPFIBER_SPECIAL(erfcinv, 1.0, 0.0),
    WARPFIBER_SPECIAL(erfcinv, 2.0, -kInf),
    WARPFIBER_SPECIAL(erfcinv, -0.5, kNan),
    WARPFIBER_SPECIAL(erfcinv, 2.5, kNan),
    WARPFIBER_SPECIAL(erfcx, -kInf, kInf),
    WARPFIBER_SPECIAL(erfcx, kInf, 0.0),
    WARPFIBER_SPECIAL(erfcx, 0.0, 1.0),
    WARPFIBER_SPECIAL(erfcx, kNan, kNan),
    WARPFIBER_SPECIAL(normcdf, -kInf, 0.0),
    WARPFIBER_SPECIAL(normcdf, kInf, 1.0),
    WARPFIBER_SPECIAL(normcdf, 0.0, 0.5),
    WARPFIBER_SPECIAL(normcdf, kNan, kNan),
    WARPFIBER_SPECIAL(normcdfinv, 0.0, -kInf),
    WARPFIBER_SPECIAL(normcdfinv, 1.0, kInf),
    WARPFIBER_SPECIAL(normcdfinv, 0.5, 0.0),
    WARPFIBER_SPECIAL(normcdfinv, 1.5, kNan),
    WARPFIBER_SPECIAL(cyl_bessel_i0, 0.0, 1.0),
    WARPFIBER_SPECIAL(cyl_bessel_i0, -kInf, kInf),
    WARPFIBER_SPECIAL(cyl_bessel_i1, -0.0, -0.0),
    WARPFIBER_SPECIAL(cyl_bessel_i1, -kInf, -kInf),
    WARPFIBER_SPECIAL(cyl_bessel_i1, kNan, kNan),
};

/// Whether calling `name` with an Argument yields the same type.
#define WARPFIBER_KEEPS_TYPE(name, Argument) std::is_same_v<decltype(::name(std::declval<Argument>())), Argument>

}  // namespace

TEST_CASE("special values are those of CUDA's documentation", "[host-arithmetic]") {
  for (const SpecialValue& row : kSpecialValues) {
    INFO(row.name << '(' << row.argument << ')');
    CHECK(identical(row.function(row.argument), row.result));
    CHECK(identical(row.narrow(static_cast<float>(row.argument)), static_cast<float>(row.result)));
  }
}

TEST_CASE("the C++ library's overloads are at global scope") {
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(sqrt, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(fabs, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(abs, long long));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(abs, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(abs, double));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(erf, float));
  STATIC_REQUIRE(std::is_same_v<decltype(::pow(1.0F, 2.0F)), float>);
  STATIC_REQUIRE(std::is_same_v<decltype(::fma(1.0F, 2.0F, 3.0F)), float>);
  STATIC_REQUIRE(std::is_same_v<decltype(::sqrt(2)), double>);
  CHECK(::pow(2.0F, 3) == 8);
  CHECK(::isfinite(1.0F));
  CHECK(::isnan(kNan));
  CHECK(::isinf(kInfF));
  CHECK(::signbit(-0.0F));
  CHECK(::j0f(0) == 1);
}

TEST_CASE("CUDA's own functions have overloads for float") {
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(rsqrt, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(rcbrt, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(exp10, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(sinpi, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(cospi, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(j0, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(j1, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(y0, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(y1, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(erfinv, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(erfcinv, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(erfcx, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(normcdf, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(normcdfinv, float));
  STATIC_REQUIRE(WARPFIBER_KEEPS_TYPE(erfcx, double));
  STATIC_REQUIRE(std::is_same_v<decltype(::jn(2, 1.0F)), float>);
  STATIC_REQUIRE(std::is_same_v<decltype(::yn(2, 1.0F)), float>);
  STATIC_REQUIRE(std::is_same_v<decltype(::copysign(1.0F, -1.0)), double>);
  CHECK(::copysign(2.0, -1.0F) == -2.0);
}

TEST_CASE("sine and cosine come together") {
  float s = 0;
  float c = 0;
  sincos(0.0F, &s, &c);
  CHECK(s + c == 1);
  sincospi(0.5F, &s, &c);
  CHECK(s == 1);
  CHECK(c == 0);
  double ds = 0;
  double dc = 0;
  sincospi(-1.0, &ds, &dc);
  CHECK(identical(ds, -0.0));
  CHECK(dc == -1);
  __sincosf(0, &s, &c);
  CHECK(c - s == 1);
}

TEST_CASE("fmin and fmax order the zeros as the device does") {
  CHECK(identical(fmaxf(-0.0F, 0.0F), 0.0F));
  CHECK(identical(fmaxf(0.0F, -0.0F), 0.0F));
  CHECK(identical(fminf(0.0F, -0.0F), -0.0F));
  CHECK(identical(fmax(-0.0, 0.0), 0.0));
  CHECK(identical(fmin(0.0, -0.0), -0.0));
  CHECK(fmaxf(kNanF, 1) == 1);
}

TEST_CASE("conversions to long round ties as their name says and saturate") {
  constexpr long kMost = std::numeric_limits<long>::max();
  CHECK(lrint(2.5) == 2);
  CHECK(lrintf(-3.5F) == -4);
  CHECK(llrint(0.5) == 0);
  CHECK(llrintf(1.5F) == 2);
  CHECK(lround(2.5) == 3);
  CHECK(lroundf(-2.5F) == -3);
  CHECK(llround(0.49999999999999994) == 0);
  CHECK(llroundf(-0.5F) == -1);
  CHECK(lround(1e30) == kMost);
  CHECK(lroundf(kInfF) == kMost);
  CHECK(llrint(-1e30) == -kMost - 1);
  CHECK(llrintf(kNanF) == -kMost - 1);
}

TEST_CASE("lengths with an infinite part are infinite, even beside a NaN") {
  CHECK(norm3d(kNan, -kInf, 1) == kInf);
  CHECK(rnorm3d(kNan, -kInf, 1) == 0);
  CHECK(norm4df(kNanF, 1, kInfF, 2) == kInfF);
  CHECK(rnorm4df(kNanF, 1, kInfF, 2) == 0);
  CHECK(std::isnan(norm3d(kNan, 1, 2)));
  CHECK(std::isnan(rnorm3df(kNanF, 1, 2)));
  CHECK(rhypot(kNan, kInf) == 0);
  CHECK(norm3df(-0.0F, 0, 0) == 0);
  CHECK(rnorm3d(0, 0, 0) == kInf);
}

TEST_CASE("lengths of any dimension") {
  const double p[5] = {1, -2, 2, 4, 0};
  const float q[5] = {1, -2, 2, 4, 0};
  CHECK(norm(5, p) == 5);
  CHECK(normf(5, q) == 5);
  CHECK(rnorm(5, p) == 0.2);
  CHECK(rnormf(5, q) == 0.2F);
  CHECK(norm(0, p) == 0);
  CHECK(norm3d(2, 3, 6) == 7);
  CHECK(norm4df(2, 4, 5, 6) == 9);
  CHECK(norm3df(1e30F, 1e30F, 1e30F) == 1.7320508e30F);
  CHECK(rhypotf(3, 4) == 0.2F);
  CHECK(rnorm4d(2, 4, 5, 6) == 1 / 9.0);
}

TEST_CASE("fast forms that differ in kind from the exact ones") {
  CHECK(std::isnan(__powf(-2, 2)));
  CHECK(std::isnan(__powf(0, 0)));
  CHECK(__powf(2, 10) == 1024);
  CHECK(identical(__fdividef(3, 0x1p127F), 0.0F));
  CHECK(identical(__fdividef(3, -0x1p127F), -0.0F));
  CHECK(std::isnan(__fdividef(kInfF, 0x1p127F)));
  CHECK(__fdividef(0x1p126F, 0x1p126F) == 1);
  CHECK(__fdividef(1, kInfF) == 0);
  CHECK(fdividef(0x1p127F, 0x1p127F) == 1);
  CHECK(fdivide(1.0, 4.0) == 0.25);
}

TEST_CASE("saturation brings everything into the unit interval") {
  CHECK(__saturatef(0.25F) == 0.25F);
  CHECK(__saturatef(2) == 1);
  CHECK(identical(__saturatef(-0.0F), 0.0F));
  CHECK(__saturatef(-kInfF) == 0);
  CHECK(__saturatef(kNanF) == 0);
}

TEST_CASE("fast forms are near the exact functions") {
  for (const float x : {0.01F, 0.5F, 1.0F, 3.0F, 20.0F}) {
    CAPTURE(x);
    CHECK(__expf(x) == Catch::Approx(std::exp(static_cast<double>(x))));
    CHECK(__exp10f(x) == Catch::Approx(std::pow(10.0, static_cast<double>(x))));
    CHECK(__logf(x) == Catch::Approx(std::log(static_cast<double>(x))));
    CHECK(__log2f(x) == Catch::Approx(std::log2(static_cast<double>(x))));
    CHECK(__log10f(x) == Catch::Approx(std::log10(static_cast<double>(x))));
    CHECK(__sinf(x) == Catch::Approx(std::sin(static_cast<double>(x))));
    CHECK(__cosf(x) == Catch::Approx(std::cos(static_cast<double>(x))));
    CHECK(__tanf(x) == Catch::Approx(std::tan(static_cast<double>(x))));
    CHECK(__tanhf(x) == Catch::Approx(std::tanh(static_cast<double>(x))));
  }
}
