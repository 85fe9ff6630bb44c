// SPDX-License-Identifier: Apache-2.0
//
// The error function's relatives of <warpfiber/intrinsics/math_functions.hpp>: erfcx, the inverses of erf and erfc, and
// the normal distribution, from the C library's erfl, erfcl and expl in long double. Results are rounded once, to
// double or float, so they are within 1 ULP where long double has more digits than double, as it has on x86-64 and on
// arm64 Linux. Called by kernels and host code through that header only.
#include <warpfiber/intrinsics/math_functions.hpp>

#include <limits>

namespace warpfiber::abi {
namespace {

constexpr long double kTwoOverRootPi = 1.128379167095512573896158903121545172L;
constexpr long double kOneOverRootPi = 0.564189583547756286948079451560772586L;
constexpr long double kRootTwo = 1.414213562373095048801688724209698079L;
constexpr double kRootHalf = 0x1.6a09e667f3bcdp-1;
constexpr double kRootHalfRest = -0x1.bdd3413b26456p-55;  // 1/sqrt(2) - kRootHalf

/// exp(x^2) erfc(x) for x >= 25 by its asymptotic series, whose terms have become negligible after 12.
long double scaled_far_tail(long double x) {
  const long double step = 1 / (2 * x * x);
  long double term = 1;
  long double sum = 1;
  for (int k = 1; k < 12; ++k) {
    term *= -step * (2 * k - 1);
    sum += term;
  }
  return sum * kOneOverRootPi / x;
}

long double scaled_complement(double x) {
  if (x >= 25) return scaled_far_tail(static_cast<long double>(x));
  if (x < -27) return std::numeric_limits<long double>::infinity();
  const double square = x * x;
  const double rest = fma(x, x, -square);
  return expl(static_cast<long double>(square)) * (1 + static_cast<long double>(rest)) *
         erfcl(static_cast<long double>(x));
}

/// erfc(-x / sqrt(2)) / 2. In the tail erfc magnifies the rounding of its argument, so the part cut off is added by the
/// derivative.
long double normal_distribution(double x) {
  if (isinf(x)) return x < 0 ? 0 : 1;
  const double argument = -x * kRootHalf;
  const double rest = fma(-x, kRootHalf, -argument) - x * kRootHalfRest;
  const long double at = static_cast<long double>(argument);
  return (erfcl(at) - kTwoOverRootPi * expl(-at * at) * static_cast<long double>(rest)) / 2;
}

/// A start for the inverse of erf, y = +-(1 - complement), by M. Giles, "Approximating the erfinv function" (GPU
/// Computing Gems, 2011) near the centre and S. Winitzki's formula in the tails.
long double rough_inverse(long double y, long double complement) {
  const long double w = -logl(complement * (2 - complement));
  if (w < 5) {
    constexpr float kCoefficients[] = {2.81022636e-08F,  3.43273939e-07F, -3.5233877e-06F,
                                       -4.39150654e-06F, 0.00021858087F,  -0.00125372503F,
                                       -0.00417768164F,  0.246640727F,    1.50140941F};
    long double polynomial = 0;
    for (const float coefficient : kCoefficients)
      polynomial = polynomial * (w - 2.5L) + static_cast<long double>(coefficient);
    return polynomial * y;
  }
  const long double half = 4.3307L - w / 2;  // 2 / (pi a) + ln(1 - y^2) / 2 with a = 0.147
  return copysignl(sqrtl(sqrtl(half * half + w / 0.147L) - half), y);
}

/// Halley's method on f, whose derivative is slope * exp(-z^2): the error is cubed in every step.
template <class Function>
long double refined(long double z, long double slope, Function f) {
  constexpr long double kCubedIsExact = 1e-7L;
  for (int step = 0; step < 6; ++step) {
    const long double newton = f(z) / (slope * expl(-z * z));
    const long double change = newton / (1 + z * newton);
    z -= change;
    if (fabsl(change) <= kCubedIsExact * fabsl(z)) break;
  }
  return z;
}

/// The inverse of erf for |y| <= 1/2.
long double inverse_near_zero(long double y) {
  if (y == 0) return y;
  return refined(rough_inverse(y, 1 - fabsl(y)), kTwoOverRootPi, [y](long double z) { return erfl(z) - y; });
}

/// The inverse of erfc for 0 < complement < 1/2.
long double inverse_in_tail(long double complement) {
  return refined(rough_inverse(1 - complement, complement), -kTwoOverRootPi,
                 [complement](long double z) { return erfcl(z) - complement; });
}

long double inverse(double y) {
  const long double size = fabsl(static_cast<long double>(y));
  if (!(size <= 1)) return NAN;
  if (size <= 0.5L) return inverse_near_zero(static_cast<long double>(y));
  const long double tail = size == 1 ? std::numeric_limits<long double>::infinity() : inverse_in_tail(1 - size);
  return copysignl(tail, static_cast<long double>(y));
}

long double erfc_inverse(double y) {
  const long double value = static_cast<long double>(y);
  if (!(y >= 0 && y <= 2)) return NAN;
  if (y == 0 || y == 2) return (1 - value) * std::numeric_limits<long double>::infinity();
  if (y < 0.5) return inverse_in_tail(value);
  if (y > 1.5) return -inverse_in_tail(2 - value);
  return inverse_near_zero(1 - value);
}

/// 0 - ..., because the middle is +0.
long double normal_quantile(double p) {
  return 0 - kRootTwo * erfc_inverse(2 * p);
}

}  // namespace
}  // namespace warpfiber::abi

#define WARPFIBER_FROM_LONG_DOUBLE(name, compute)        \
  double name(double x) noexcept {                       \
    return static_cast<double>(warpfiber::abi::compute); \
  }                                                      \
  float name##f(float x) noexcept {                      \
    return static_cast<float>(warpfiber::abi::compute);  \
  }

WARPFIBER_FROM_LONG_DOUBLE(erfinv, inverse(x))
WARPFIBER_FROM_LONG_DOUBLE(erfcinv, erfc_inverse(x))
WARPFIBER_FROM_LONG_DOUBLE(erfcx, scaled_complement(x))
WARPFIBER_FROM_LONG_DOUBLE(normcdf, normal_distribution(x))
WARPFIBER_FROM_LONG_DOUBLE(normcdfinv, normal_quantile(x))
