// SPDX-License-Identifier: Apache-2.0
//
// sinpi, cospi and sincospi of <warpfiber/intrinsics/math_functions.hpp>. The argument is reduced to an eighth of a
// period exactly and multiplied by pi in the next wider type (long double for double, double for float), whose sine and
// cosine are rounded once. Called by kernels and host code through that header only.
#include <warpfiber/intrinsics/math_functions.hpp>

namespace warpfiber::abi {
namespace {

constexpr long double kPi = 3.141592653589793238462643383279502884L;

template <class Wide>
struct SineAndCosine {
  Wide sine;
  Wide cosine;
};

/// Of pi x. Zeros have the sign of x for the sine and are positive for the cosine.
template <class Wide, class Float>
SineAndCosine<Wide> of_half_turns(Float x) {
  const Float reduced = x - 2 * rint(x / 2);
  const Float quarters = rint(2 * reduced);
  const Wide angle = static_cast<Wide>(kPi) * static_cast<Wide>(reduced - quarters / 2);
  const Wide s = sin(angle);
  const Wide c = cos(angle);
  if (isnan(angle)) return {s, c};
  switch (static_cast<int>(quarters) & 3) {
    case 0: return {angle == 0 ? copysign(Wide{0}, static_cast<Wide>(x)) : s, c};
    case 1: return {c, 0 - s};
    case 2: return {angle == 0 ? copysign(Wide{0}, static_cast<Wide>(x)) : -s, -c};
    default: return {-c, 0 + s};
  }
}

SineAndCosine<long double> of_half_turns(double x) {
  return of_half_turns<long double>(x);
}

SineAndCosine<double> of_half_turns(float x) {
  return of_half_turns<double>(x);
}

}  // namespace
}  // namespace warpfiber::abi

using warpfiber::abi::of_half_turns;

double sinpi(double x) noexcept {
  return static_cast<double>(of_half_turns(x).sine);
}

double cospi(double x) noexcept {
  return static_cast<double>(of_half_turns(x).cosine);
}

float sinpif(float x) noexcept {
  return static_cast<float>(of_half_turns(x).sine);
}

float cospif(float x) noexcept {
  return static_cast<float>(of_half_turns(x).cosine);
}

void sincospi(double x, double* sine, double* cosine) noexcept {
  const auto both = of_half_turns(x);
  *sine = static_cast<double>(both.sine);
  *cosine = static_cast<double>(both.cosine);
}

void sincospif(float x, float* sine, float* cosine) noexcept {
  const auto both = of_half_turns(x);
  *sine = static_cast<float>(both.sine);
  *cosine = static_cast<float>(both.cosine);
}
