// SPDX-License-Identifier: Apache-2.0
//
// Rejection for Poisson's distribution, of <warpfiber/cuda/curand/poisson.hpp> (Devroye, "Non-uniform random variate
// generation", 1986, II.3). The square of a logistic curve is near the regularised incomplete gamma function, which is
// the distribution; its inverse proposes a count, and its step at the count bounds the probability. In single
// precision, with the device's approximations and fused operations, so that proposals and decisions are the device's.
#include <warpfiber/cuda/curand/poisson.hpp>

#include <cmath>

#include "intrinsics/device_approximations.hpp"

namespace warpfiber::random {
namespace {

using intrinsics::device_exp2;
using intrinsics::device_log2;
using intrinsics::device_reciprocal;
using intrinsics::device_reciprocal_root;

// Of the curve that the device has. Others would propose other counts.
constexpr float kSlope = 1.43248035F;
constexpr float kSlopeShift = 0.12400979F;
constexpr float kLeastSlope = 0.00025361F;
constexpr float kMiddle = 0.21096735F;
constexpr float kMiddleShift = 1.97381164F;
constexpr float kLeastMiddle = 0.94201734F;
// By how much the curve's step has to be larger to be above the probability everywhere.
constexpr float kExcess = 1.3F;
constexpr double kLeastStep = 1e-20;

constexpr double kLog2OfE = 1.4426950408889634;
constexpr double kLogOf2 = 0.6931471805599453;

/// Products with these constants are the only ones in double precision.
float exponential(float x) {
  return device_exp2(static_cast<float>(x * kLog2OfE));
}
float logarithm(float x) {
  return static_cast<float>(device_log2(x) * kLogOf2);
}

/// The curve at `count`, which falls from 1 to 0 in the mean.
float curve_at(const PoissonRejection& of, float count) {
  const float root = 1 + exponential(std::fma(of.slope, of.mean - count, -of.middle));
  return device_reciprocal(root * root);
}

float probability(const PoissonRejection& of, float count) {
  int sign = 0;
  const auto log_factorial = static_cast<float>(lgamma_r(static_cast<double>(count) + 1, &sign));
  return exponential(std::fma(count, of.log_mean, -of.mean) - log_factorial);
}

}  // namespace

PoissonRejection poisson_rejection(float mean) noexcept {
  const float slope = std::fma(kSlope, device_reciprocal_root(mean - kSlopeShift), kLeastSlope);
  const float middle = std::fma(kMiddle, device_reciprocal_root(mean - kMiddleShift), kLeastMiddle);
  return {mean, slope, device_reciprocal(slope), middle, logarithm(mean)};
}

float proposed_count(const PoissonRejection& of, float uniform) noexcept {
  const float distance = of.middle + logarithm(device_reciprocal_root(uniform) - 1);
  return std::floor(std::fma(-of.inverse_slope, distance, of.mean));
}

bool accepts_count(const PoissonRejection& of, float count, float uniform) noexcept {
  // A negative count's step is below its probability for no uniform number.
  if (!(count >= 0) || std::isinf(count)) return false;
  const float step = (curve_at(of, count + 1) - curve_at(of, count)) * kExcess;
  return step >= kLeastStep && uniform * step < probability(of, count);
}

}  // namespace warpfiber::random
