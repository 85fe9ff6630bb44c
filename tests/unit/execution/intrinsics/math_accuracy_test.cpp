// SPDX-License-Identifier: Apache-2.0
//
// How far CUDA's mathematical functions are off, in units in the last place: at reference points to 80 digits, and over
// sweeps against formulas that share nothing with the implementation (integrals by the trapezoid rule, inverses put
// back into their function). The bounds are those the header states; docs/intrinsics.md has what is measured.
#include <warpfiber/intrinsics/math.hpp>

#include <algorithm>
#include <map>

#include "support/catch.hpp"
#include "unit/execution/intrinsics/math_reference.hpp"
#include "unit/execution/intrinsics/sample_inputs.hpp"

namespace {

using namespace warpfiber::test;
constexpr long double kPi = 3.141592653589793238462643383279502884L;

/// The distance from one number of Float to the next at the size of x.
template <class Float>
long double ulp(long double x) {
  using Limits = std::numeric_limits<Float>;
  const int exponent = x == 0 ? Limits::min_exponent : std::max(std::ilogb(x) + 1, int{Limits::min_exponent});
  return std::ldexp(1.0L, exponent - Limits::digits);
}

template <class Float>
long double ulps_off(Float actual, long double expected) {
  if (std::isinf(actual) && std::fabs(expected) > static_cast<long double>(std::numeric_limits<Float>::max())) return 0;
  return std::fabs(static_cast<long double>(actual) - expected) / ulp<Float>(expected);
}

/// The largest error of `function` over the inputs, of which those outside the reference's domain yield NaN.
template <class Float, class Function, class Reference>
long double worst(const std::vector<Float>& inputs, Function function, Reference reference) {
  long double most = 0;
  for (const Float x : inputs) {
    const long double expected = reference(static_cast<long double>(x));
    if (std::isnan(expected)) continue;
    const long double off = ulps_off(function(x), expected);
    if (std::isnan(off)) return off;
    most = std::max(most, off);
  }
  return most;
}

template <class Float>
std::vector<Float> spread(Float from, Float to, int count) {
  std::vector<Float> values;
  for (int i = 0; i <= count; ++i)
    values.push_back(from + (to - from) * static_cast<Float>(i) / static_cast<Float>(count));
  return values;
}

/// I_order(x) as the mean of exp(x cos t) cos(order t) over a period, which the trapezoid rule integrates exactly.
long double bessel_integral(int order, long double x) {
  constexpr int kPoints = 400;
  long double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    const long double t = 2 * kPi * i / kPoints;
    sum += std::exp(x * std::cos(t)) * std::cos(order * t);
  }
  return sum / kPoints;
}

/// erfcx(x) for x >= 1 as x/pi times the integral of exp(-t^2) / (x^2 + t^2).
long double erfcx_integral(long double x) {
  constexpr long double kStep = 0.0625L;
  long double sum = 0;
  for (int i = -160; i <= 160; ++i) {
    const long double t = kStep * i;
    sum += std::exp(-t * t) / (x * x + t * t);
  }
  return sum * kStep * x / kPi;
}

/// sin(pi x) around the nearest integer; nothing at the integers themselves, where the result is exact.
long double sine_of_half_turns(long double x) {
  const long double whole = std::nearbyint(x);
  const long double at = std::sin(kPi * (x - whole));
  return x == whole ? NAN : std::fmod(whole, 2.0L) == 0 ? at : -at;
}

/// The slope of erf, which turns an error of its value into one of its argument.
long double erf_slope(long double x) {
  return 2 / std::sqrt(kPi) * std::exp(-x * x);
}

/// The true inverse next to `near`, by one step of Newton's method from there.
template <class Function>
long double inverse_next_to(long double near, long double y, Function f, long double slope) {
  return near - (f(near) - y) / slope;
}

/// A float function and the double function of the same name.
struct Pair {
  const char* name;
  float (*narrow)(float);
  double (*wide)(double);
};

#define WARPFIBER_PAIR(name) \
  { #name, name##f, name }
const Pair kPairs[] = {
    WARPFIBER_PAIR(rsqrt),      WARPFIBER_PAIR(rcbrt),         WARPFIBER_PAIR(sinpi),         WARPFIBER_PAIR(cospi),
    WARPFIBER_PAIR(erfinv),     WARPFIBER_PAIR(erfcinv),       WARPFIBER_PAIR(erfcx),         WARPFIBER_PAIR(normcdf),
    WARPFIBER_PAIR(normcdfinv), WARPFIBER_PAIR(cyl_bessel_i0), WARPFIBER_PAIR(cyl_bessel_i1),
};

}  // namespace

TEST_CASE("double functions are as near to the true value as they say", "[host-arithmetic]") {
  const std::map<std::string, double> bounds = {{"rsqrt", 1.5}, {"exp10", 2}};
  for (const MathReference& point : kMathReferences) {
    const auto bound = bounds.find(point.name);
    const double actual = point.function(point.argument);
    const double error = std::fabs((actual - point.value) - point.rest) /
                         static_cast<double>(ulp<double>(static_cast<long double>(point.value)));
    INFO(point.name << '(' << std::hexfloat << point.argument << ") = " << actual << ", should be " << point.value);
    CHECK(error <= (bound == bounds.end() ? 1 : bound->second));
  }
}

TEST_CASE("reciprocal roots are as near to the true value as they say") {
  const auto all = corners_and<double>(20000);
  CHECK(worst(
            all, [](double x) { return rsqrt(x); }, [](long double x) { return x > 0 ? 1 / std::sqrt(x) : NAN; }) <=
        1.5L);
  CHECK(worst(
            all, [](double x) { return rcbrt(x); }, [](long double x) { return x != 0 ? 1 / std::cbrt(x) : NAN; }) <=
        1.0L);
}

TEST_CASE("sines of half turns are as near to the true value as they say", "[host-arithmetic]") {
  const auto cosine_of_half_turns = [](long double x) { return sine_of_half_turns(x + 0.5L); };
  for (const auto& inputs : {spread(-3.0, 3.0, 20000), spread(1e6, 1e6 + 2, 20000), random_bits<double>(20000)}) {
    CHECK(worst(
              inputs, [](double x) { return sinpi(x); }, sine_of_half_turns) <= 1.0L);
  }
  CHECK(worst(
            spread(-3.0, 3.0, 20000), [](double x) { return cospi(x); }, cosine_of_half_turns) <= 1.0L);
}

TEST_CASE("erfcx and the Bessel functions agree with their integrals", "[host-arithmetic]") {
  const auto i0 = [](long double x) { return bessel_integral(0, x); };
  const auto i1 = [](long double x) { return bessel_integral(1, x); };
  CHECK(worst(
            spread(1.0, 60.0, 1000), [](double x) { return erfcx(x); }, erfcx_integral) <= 1.0L);
  CHECK(worst(
            spread(-60.0, 60.0, 500), [](double x) { return cyl_bessel_i0(x); }, i0) <= 1.0L);
  CHECK(worst(
            spread(1.0, 60.0, 500), [](double x) { return cyl_bessel_i1(x); }, i1) <= 1.0L);
}

TEST_CASE("inverses put back into their function give the argument", "[host-arithmetic]") {
  const auto erf_at = [](long double x) { return std::erf(x); };
  const auto erfc_at = [](long double x) { return std::erfc(x); };
  CHECK(worst(
            spread(-0.875, 0.875, 5000), [](double y) { return erfinv(y); },
            [&](long double y) {
              const long double near = erfinv(static_cast<double>(y));
              return inverse_next_to(near, y, erf_at, erf_slope(near));
            }) <= 1.0L);
  std::vector<double> tail;
  for (int exponent = -1070; exponent < 0; ++exponent) tail.push_back(std::ldexp(1.1, exponent));
  CHECK(worst(
            tail, [](double y) { return erfcinv(y); },
            [&](long double y) {
              const long double near = erfcinv(static_cast<double>(y));
              return inverse_next_to(near, y, erfc_at, -erf_slope(near));
            }) <= 1.0L);
}

TEST_CASE("float functions round the double ones", "[host-arithmetic]") {
  const auto inputs = corners_and<float>(50000);
  for (const Pair& pair : kPairs) {
    INFO(pair.name);
    CHECK(worst(inputs, pair.narrow,
                [&](long double x) { return static_cast<long double>(pair.wide(static_cast<double>(x))); }) <= 1.5L);
  }
}

TEST_CASE("lengths keep their digits when squares would overflow or vanish", "[host-arithmetic]") {
  for (const int exponent : {-1060, -1000, -500, 0, 500, 1000, 1020}) {
    const auto values = random_bits<double>(300);
    for (std::size_t i = 1; i + 8 < values.size(); i += 8) {
      double p[4];
      long double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        p[k] = std::ldexp(values[i + 2 * k], exponent);
        sum += static_cast<long double>(p[k]) * static_cast<long double>(p[k]);
      }
      const auto three = static_cast<long double>(p[0]) * p[0] + static_cast<long double>(p[1]) * p[1] +
                         static_cast<long double>(p[2]) * p[2];
      CHECK(ulps_off(norm4d(p[0], p[1], p[2], p[3]), std::sqrt(sum)) <= 1.0L);
      CHECK(ulps_off(norm(4, p), std::sqrt(sum)) <= 1.0L);
      CHECK(ulps_off(norm3d(p[0], p[1], p[2]), std::sqrt(three)) <= 1.0L);
      CHECK(ulps_off(rnorm4d(p[0], p[1], p[2], p[3]), 1 / std::sqrt(sum)) <= 1.5L);
      CHECK(ulps_off(rnorm3d(p[0], p[1], p[2]), 1 / std::sqrt(three)) <= 1.5L);
    }
  }
}
