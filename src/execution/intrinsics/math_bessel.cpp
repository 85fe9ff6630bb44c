// SPDX-License-Identifier: Apache-2.0
//
// Modified Bessel functions of order 0 and 1, of <warpfiber/intrinsics/math_functions.hpp>: the power series, all of
// whose terms are positive, up to 30, the asymptotic series beyond (Abramowitz and Stegun, 9.6.10 and 9.7.1), in long
// double. Called by kernels and host code through that header only.
#include <warpfiber/intrinsics/math_functions.hpp>

namespace warpfiber::abi {
namespace {

constexpr long double kTwoPi = 6.283185307179586476925286766559005768L;
constexpr long double kNegligible = 0x1p-70L;

/// (x/2)^order times the sum of (x^2/4)^k / (k! (k + order)!).
long double power_series(int order, long double x) {
  const long double step = x * x / 4;
  long double term = order == 0 ? 1 : x / 2;
  long double sum = term;
  for (int k = 1; term > kNegligible * sum; ++k) {
    term *= step / (static_cast<long double>(k) * (k + order));
    sum += term;
  }
  return sum;
}

/// e^x / sqrt(2 pi x) times the sum of the terms -(4 order^2 - (2k - 1)^2) / (8 k x), multiplied up.
long double asymptotic_series(int order, long double x) {
  long double term = 1;
  long double sum = 1;
  for (int k = 1; fabsl(term) > kNegligible; ++k) {
    const int odd = 2 * k - 1;
    term *= static_cast<long double>(odd * odd - 4 * order * order) / (8 * k * x);
    sum += term;
  }
  return expl(x) / sqrtl(kTwoPi * x) * sum;
}

long double modified_bessel(int order, double x) {
  const long double size = fabsl(static_cast<long double>(x));
  if (isinf(x)) return order == 0 ? size : static_cast<long double>(x);
  const long double value = size < 30 ? power_series(order, size) : asymptotic_series(order, size);
  return order == 1 && signbit(x) ? -value : value;
}

}  // namespace
}  // namespace warpfiber::abi

using warpfiber::abi::modified_bessel;

double cyl_bessel_i0(double x) noexcept {
  return static_cast<double>(modified_bessel(0, x));
}

float cyl_bessel_i0f(float x) noexcept {
  return static_cast<float>(modified_bessel(0, static_cast<double>(x)));
}

double cyl_bessel_i1(double x) noexcept {
  return static_cast<double>(modified_bessel(1, x));
}

float cyl_bessel_i1f(float x) noexcept {
  return static_cast<float>(modified_bessel(1, static_cast<double>(x)));
}
