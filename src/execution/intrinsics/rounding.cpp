// SPDX-License-Identifier: Apache-2.0
//
// The _rz, _ru and _rd forms of <warpfiber/intrinsics/math_rounding.hpp> and <warpfiber/intrinsics/cast.hpp>: computed
// exactly, then rounded once. Infinities, NaNs and zeros that the machine's own operation answers without rounding are
// left to it. Invariant: nothing here depends on, or changes, the thread's floating-point environment, so a fiber may
// be suspended anywhere. Called by kernels and host code through those headers only.
#include <warpfiber/intrinsics/cast.hpp>
#include <warpfiber/intrinsics/math_rounding.hpp>

#include "intrinsics/exact_number.hpp"

namespace warpfiber::abi {
namespace {

bool is_finite(double x) {
  return __builtin_isfinite(x);
}

/// What is left of opposite numbers that cancel: -0 when rounding down, +0 otherwise.
double cancelled(Direction direction) {
  return direction == Direction::kDown ? -0.0 : 0.0;
}

template <class Float>
Float convert(double x, Direction direction) {
  if (!is_finite(x) || x == 0) return static_cast<Float>(x);
  return round_to<Float>(exact(x), direction);
}

template <class Float, class Integer>
Float convert_integer(Integer x, Direction direction) {
  if (x == 0) return 0;
  const bool negative = x < 0;
  const auto magnitude = static_cast<std::uint64_t>(x);
  return round_to<Float>({negative, negative ? 0 - magnitude : magnitude, 0}, direction);
}

template <class Float>
Float add(double x, double y, Direction direction) {
  if (!is_finite(x) || !is_finite(y)) return static_cast<Float>(x + y);
  if (x == 0 && y == 0)
    return static_cast<Float>(__builtin_signbit(x) == __builtin_signbit(y) ? x : cancelled(direction));
  if (x == 0 || y == 0) return static_cast<Float>(x + y);
  const ExactNumber result = sum(exact(x), exact(y));
  return result.significand == 0 ? static_cast<Float>(cancelled(direction)) : round_to<Float>(result, direction);
}

template <class Float>
Float multiply(double x, double y, Direction direction) {
  if (!is_finite(x) || !is_finite(y) || x == 0 || y == 0) return static_cast<Float>(x * y);
  return round_to<Float>(product(exact(x), exact(y)), direction);
}

template <class Float>
Float divide(double x, double y, Direction direction) {
  if (!is_finite(x) || !is_finite(y) || x == 0 || y == 0) return static_cast<Float>(x / y);
  return round_to<Float>(quotient(exact(x), exact(y)), direction);
}

template <class Float>
Float root(double x, Direction direction) {
  if (!is_finite(x) || x <= 0) return static_cast<Float>(__builtin_sqrt(x));
  return round_to<Float>(square_root(exact(x)), direction);
}

template <class Float>
Float multiply_add(double x, double y, double z, Direction direction) {
  if (!is_finite(x) || !is_finite(y) || !is_finite(z)) return static_cast<Float>(__builtin_fma(x, y, z));
  if (x == 0 || y == 0) return add<Float>(x * y, z, direction);
  const ExactNumber scaled = product(exact(x), exact(y));
  if (z == 0) return round_to<Float>(scaled, direction);
  const ExactNumber result = sum(scaled, exact(z));
  return result.significand == 0 ? static_cast<Float>(cancelled(direction)) : round_to<Float>(result, direction);
}

}  // namespace
}  // namespace warpfiber::abi

using warpfiber::abi::Direction;

#define WARPFIBER_DIRECTED(T, name, parameters, compute, ...)      \
  T name##_rz parameters noexcept {                                \
    return warpfiber::abi::compute(__VA_ARGS__, Direction::kZero); \
  }                                                                \
  T name##_ru parameters noexcept {                                \
    return warpfiber::abi::compute(__VA_ARGS__, Direction::kUp);   \
  }                                                                \
  T name##_rd parameters noexcept {                                \
    return warpfiber::abi::compute(__VA_ARGS__, Direction::kDown); \
  }

WARPFIBER_DIRECTED(float, __fadd, (float x, float y), add<float>, x, y)
WARPFIBER_DIRECTED(float, __fsub, (float x, float y), add<float>, x, -y)
WARPFIBER_DIRECTED(float, __fmul, (float x, float y), multiply<float>, x, y)
WARPFIBER_DIRECTED(float, __fdiv, (float x, float y), divide<float>, x, y)
WARPFIBER_DIRECTED(float, __frcp, (float x), divide<float>, 1, x)
WARPFIBER_DIRECTED(float, __fsqrt, (float x), root<float>, x)
WARPFIBER_DIRECTED(float, __fmaf, (float x, float y, float z), multiply_add<float>, x, y, z)
WARPFIBER_DIRECTED(float, __fmaf_ieee, (float x, float y, float z), multiply_add<float>, x, y, z)

WARPFIBER_DIRECTED(double, __dadd, (double x, double y), add<double>, x, y)
WARPFIBER_DIRECTED(double, __dsub, (double x, double y), add<double>, x, -y)
WARPFIBER_DIRECTED(double, __dmul, (double x, double y), multiply<double>, x, y)
WARPFIBER_DIRECTED(double, __ddiv, (double x, double y), divide<double>, x, y)
WARPFIBER_DIRECTED(double, __drcp, (double x), divide<double>, 1, x)
WARPFIBER_DIRECTED(double, __dsqrt, (double x), root<double>, x)
WARPFIBER_DIRECTED(double, __fma, (double x, double y, double z), multiply_add<double>, x, y, z)

WARPFIBER_DIRECTED(float, __double2float, (double x), convert<float>, x)
WARPFIBER_DIRECTED(float, __int2float, (int x), convert_integer<float>, x)
WARPFIBER_DIRECTED(float, __uint2float, (unsigned int x), convert_integer<float>, x)
WARPFIBER_DIRECTED(float, __ll2float, (long long x), convert_integer<float>, x)
WARPFIBER_DIRECTED(float, __ull2float, (unsigned long long x), convert_integer<float>, x)
WARPFIBER_DIRECTED(double, __ll2double, (long long x), convert_integer<double>, x)
WARPFIBER_DIRECTED(double, __ull2double, (unsigned long long x), convert_integer<double>, x)
