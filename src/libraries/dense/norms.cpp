// SPDX-License-Identifier: Apache-2.0
//
// Squares are scaled by the largest number.
#include "dense/norms.hpp"

#include <algorithm>
#include <cmath>

namespace warpfiber::dense {
namespace {

double magnitude(double value) {
  return std::abs(value);
}
double magnitude(const std::complex<double>& value) {
  return std::hypot(value.real(), value.imag());
}

template <class Wide, class T>
double norm_of(const T* x, std::ptrdiff_t n, std::ptrdiff_t step) {
  double largest = 0;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const double size = magnitude(Wide(x[i * step]));
    if (std::isnan(size)) return size;
    largest = std::max(largest, size);
  }
  if (largest == 0 || std::isinf(largest)) return largest;
  double sum = 0;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const double part = magnitude(Wide(x[i * step])) / largest;
    sum += part * part;
  }
  return largest * std::sqrt(sum);
}

}  // namespace

double euclidean_norm(const float* x, std::ptrdiff_t n, std::ptrdiff_t step) {
  return norm_of<double>(x, n, step);
}
double euclidean_norm(const double* x, std::ptrdiff_t n, std::ptrdiff_t step) {
  return norm_of<double>(x, n, step);
}
double euclidean_norm(const std::complex<float>* x, std::ptrdiff_t n, std::ptrdiff_t step) {
  return norm_of<std::complex<double>>(x, n, step);
}
double euclidean_norm(const std::complex<double>* x, std::ptrdiff_t n, std::ptrdiff_t step) {
  return norm_of<std::complex<double>>(x, n, step);
}

}  // namespace warpfiber::dense
