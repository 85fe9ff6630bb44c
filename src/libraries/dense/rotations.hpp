// SPDX-License-Identifier: Apache-2.0
// Rotations of points as BLAS defines them: what turns a point onto the first axis, and modified ones, which leave out
// the factors that points are scaled by.
#pragma once

#include <cmath>
#include <complex>

#include "dense/matrix.hpp"

namespace warpfiber::dense {

/// The point (a, b) becomes (r, 0) by (c, s); a becomes r and b the number that c and s can be computed from again.
template <class T>
void make_rotation(T& a, T& b, T& c, T& s) {
  const T scale = std::abs(a) + std::abs(b);
  if (scale == T{}) {
    c = T(1);
    s = b = T{};
    return;
  }
  const T r = std::copysign(scale * std::hypot(a / scale, b / scale), std::abs(a) > std::abs(b) ? a : b);
  c = a / r;
  s = b / r;
  T again = T(1);
  if (std::abs(a) > std::abs(b)) {
    again = s;
  } else if (c != T{}) {
    again = T(1) / c;
  }
  a = r;
  b = again;
}

template <class T>
void make_rotation(std::complex<T>& a, const std::complex<T>& b, T& c, std::complex<T>& s) {
  if (std::abs(a) == T{}) {
    c = T{};
    s = T(1);
    a = b;
    return;
  }
  const T norm = std::hypot(std::abs(a), std::abs(b));
  const std::complex<T> direction = a / std::abs(a);
  c = std::abs(a) / norm;
  s = direction * std::conj(b) / norm;
  a = direction * norm;
}

/// The four numbers of a modified rotation; `parameters` begins with a flag, by which it holds some of them.
template <class T>
struct ModifiedRotation {
  T h11 = T(1), h21{}, h12{}, h22 = T(1);

  static ModifiedRotation of(const T* parameters) {
    const T flag = parameters[0];
    if (flag == T(-2)) return {};
    if (flag < T{}) return {parameters[1], parameters[2], parameters[3], parameters[4]};
    if (flag == T{}) return {T(1), parameters[2], parameters[3], T(1)};
    return {parameters[1], T(-1), T(1), parameters[4]};
  }
};

/// What makes the second number of (sqrt(d1) * x1, sqrt(d2) * y1) zero, kept between 2^-24 and 2^24.
template <class T>
class ModifiedRotationMaker {
 public:
  ModifiedRotationMaker(T& d1, T& d2, T& x1) : d1_(d1), d2_(d2), x1_(x1) {}

  void make(T y1, T* parameters) {
    if (d1_ < T{}) return vanish(parameters);
    const T p2 = d2_ * y1;
    if (p2 == T{}) {
      parameters[0] = T(-2);
      return;
    }
    const T p1 = d1_ * x1_;
    const T q2 = p2 * y1;
    const T q1 = p1 * x1_;
    if (std::abs(q1) > std::abs(q2)) {
      h_ = {T(1), -y1 / x1_, p2 / p1, T(1)};
      const T u = T(1) - h_.h12 * h_.h21;
      if (u <= T{}) return vanish(parameters);
      flag_ = T{};
      d1_ /= u;
      d2_ /= u;
      x1_ *= u;
    } else {
      if (q2 < T{}) return vanish(parameters);
      h_ = {p1 / p2, T(-1), T(1), x1_ / y1};
      const T u = T(1) + h_.h11 * h_.h22;
      flag_ = T(1);
      const T before = d2_ / u;
      d2_ = d1_ / u;
      d1_ = before;
      x1_ = y1 * u;
    }
    keep_in_range();
    store(parameters);
  }

 private:
  static constexpr T kScale = T(4096);

  void vanish(T* parameters) {
    flag_ = T(-1);
    h_ = {T{}, T{}, T{}, T{}};
    d1_ = d2_ = x1_ = T{};
    store(parameters);
  }
  void keep_in_range() {
    constexpr T kLarge = kScale * kScale;
    while (d1_ != T{} && (d1_ <= 1 / kLarge || d1_ >= kLarge)) {
      flag_ = T(-1);
      const T by = d1_ >= kLarge ? kScale : 1 / kScale;
      d1_ /= by * by;
      x1_ *= by;
      h_.h11 *= by;
      h_.h12 *= by;
    }
    while (d2_ != T{} && (std::abs(d2_) <= 1 / kLarge || std::abs(d2_) >= kLarge)) {
      flag_ = T(-1);
      const T by = std::abs(d2_) >= kLarge ? kScale : 1 / kScale;
      d2_ /= by * by;
      h_.h21 *= by;
      h_.h22 *= by;
    }
  }
  void store(T* parameters) const {
    parameters[0] = flag_;
    if (flag_ != T{}) {
      parameters[1] = h_.h11;
      parameters[4] = h_.h22;
    }
    if (flag_ != T(1)) {
      parameters[2] = h_.h21;
      parameters[3] = h_.h12;
    }
  }

  T& d1_;
  T& d2_;
  T& x1_;
  T flag_{};
  ModifiedRotation<T> h_{};
};

}  // namespace warpfiber::dense
