// SPDX-License-Identifier: Apache-2.0
// Products and triangular systems by a library of BLAS. Matrices fit where the library is there, the operation is large
// enough for it, and it has a form for them.
#pragma once

#include <complex>
#include <cstddef>
#include <type_traits>

#include "dense/matrix.hpp"

namespace warpfiber::dense {

template <class T>
inline constexpr bool kIsBlasNumber = std::is_same_v<T, float> || std::is_same_v<T, double> ||
                                      std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

/// C = alpha * A * B + beta * C, where A is m by k and B k by n. False, and nothing is done, where they do not fit.
template <class T>
bool multiply_by_blas(MatrixSize size, std::ptrdiff_t k, T alpha, MatrixView<const T> a, MatrixView<const T> b, T beta,
                      MatrixView<T> c);

/// Whether the library computes with a triangular A and with B.
template <class T>
bool fits_blas(MatrixSize size, T alpha, MatrixView<const T> a, MatrixView<T> b);

/// B = alpha * A * B of a triangular A, where they fit.
template <class T>
void multiply_triangular_by_blas(MatrixSize size, T alpha, MatrixView<const T> a, Triangle triangle, MatrixView<T> b);

/// B = alpha * inverse of A * B of a triangular A, where they fit.
template <class T>
void solve_triangular_by_blas(MatrixSize size, T alpha, MatrixView<const T> a, Triangle triangle, MatrixView<T> b);

}  // namespace warpfiber::dense
