// SPDX-License-Identifier: Apache-2.0
// Lengths of vectors.
#pragma once

#include <complex>
#include <cstddef>

namespace warpfiber::dense {

/// The square root of the sum of squares of `n` numbers, which are `step` apart. Nothing overflows in between.
double euclidean_norm(const float* x, std::ptrdiff_t n, std::ptrdiff_t step);
double euclidean_norm(const double* x, std::ptrdiff_t n, std::ptrdiff_t step);
double euclidean_norm(const std::complex<float>* x, std::ptrdiff_t n, std::ptrdiff_t step);
double euclidean_norm(const std::complex<double>* x, std::ptrdiff_t n, std::ptrdiff_t step);

}  // namespace warpfiber::dense
