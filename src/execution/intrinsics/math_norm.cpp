// SPDX-License-Identifier: Apache-2.0
//
// Euclidean lengths, their reciprocals and the reciprocal cube root, of <warpfiber/intrinsics/math_functions.hpp>.
// Double vectors are scaled by a power of two and their squares summed as pairs of doubles, so that neither range nor
// digits are lost; for float vectors a double sum has both. Called by kernels and host code through that header only.
#include <warpfiber/intrinsics/math_functions.hpp>

#include <initializer_list>

namespace warpfiber::abi {
namespace {

/// A length as root * 2^exponent.
struct Length {
  double root;
  int exponent;
};

/// The largest magnitude; infinite if any number is, else NaN if any is.
template <class Float>
Float largest(const Float* p, int dim) {
  Float most = 0;
  bool nan = false;
  for (int i = 0; i < dim; ++i) {
    nan |= isnan(p[i]);
    most = max(most, static_cast<Float>(fabs(p[i])));
  }
  return nan && !isinf(most) ? static_cast<Float>(NAN) : most;
}

Length scaled_length(const double* p, int dim) {
  const double most = largest(p, dim);
  if (!isfinite(most) || most == 0) return {most, 0};
  const int exponent = ilogb(most);
  double sum = 0;
  double rest = 0;
  for (int i = 0; i < dim; ++i) {
    const double x = scalbn(p[i], -exponent);
    const double square = x * x;
    const double before = sum;
    sum = before + square;
    const double added = sum - before;
    rest += (before - (sum - added)) + (square - added) + fma(x, x, -square);
  }
  const double root = sqrt(sum + rest);
  return {root + (fma(-root, root, sum) + rest) / (2 * root), exponent};
}

double length(const double* p, int dim) {
  const Length result = scaled_length(p, dim);
  return scalbn(result.root, result.exponent);
}

double reciprocal_length(const double* p, int dim) {
  const Length result = scaled_length(p, dim);
  return scalbn(1 / result.root, -result.exponent);
}

double length(const float* p, int dim) {
  const float most = largest(p, dim);
  if (!isfinite(most)) return static_cast<double>(most);
  double sum = 0;
  for (int i = 0; i < dim; ++i) sum += static_cast<double>(p[i]) * static_cast<double>(p[i]);
  return sqrt(sum);
}

double length(std::initializer_list<float> p) {
  return length(p.begin(), static_cast<int>(p.size()));
}

double length(std::initializer_list<double> p) {
  return length(p.begin(), static_cast<int>(p.size()));
}

double reciprocal_length(std::initializer_list<double> p) {
  return reciprocal_length(p.begin(), static_cast<int>(p.size()));
}

}  // namespace
}  // namespace warpfiber::abi

using warpfiber::abi::length;
using warpfiber::abi::reciprocal_length;

double norm(int dim, const double* p) noexcept {
  return length(p, dim);
}

double norm3d(double a, double b, double c) noexcept {
  return length({a, b, c});
}

double norm4d(double a, double b, double c, double d) noexcept {
  return length({a, b, c, d});
}

double rnorm(int dim, const double* p) noexcept {
  return reciprocal_length(p, dim);
}

double rnorm3d(double a, double b, double c) noexcept {
  return reciprocal_length({a, b, c});
}

double rnorm4d(double a, double b, double c, double d) noexcept {
  return reciprocal_length({a, b, c, d});
}

double rhypot(double x, double y) noexcept {
  return reciprocal_length({x, y});
}

float normf(int dim, const float* p) noexcept {
  return static_cast<float>(length(p, dim));
}

float norm3df(float a, float b, float c) noexcept {
  return static_cast<float>(length({a, b, c}));
}

float norm4df(float a, float b, float c, float d) noexcept {
  return static_cast<float>(length({a, b, c, d}));
}

float rnormf(int dim, const float* p) noexcept {
  return static_cast<float>(1 / length(p, dim));
}

float rnorm3df(float a, float b, float c) noexcept {
  return static_cast<float>(1 / length({a, b, c}));
}

float rnorm4df(float a, float b, float c, float d) noexcept {
  return static_cast<float>(1 / length({a, b, c, d}));
}

float rhypotf(float x, float y) noexcept {
  return static_cast<float>(1 / length({x, y}));
}

double rcbrt(double x) noexcept {
  return static_cast<double>(1 / cbrtl(static_cast<long double>(x)));
}

float rcbrtf(float x) noexcept {
  return static_cast<float>(1 / cbrt(static_cast<double>(x)));
}
