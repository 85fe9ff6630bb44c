// SPDX-License-Identifier: Apache-2.0
// Generalised eigenvalues of a Hermitian A and a positive definite B, by Cholesky's factor of B: B = L * L^H.
#pragma once

#include <cstddef>

#include "dense/columns.hpp"
#include "dense/factors.hpp"
#include "dense/products.hpp"

namespace warpfiber::dense {

/// A * x = w * B * x, A * B * x = w * x, and B * A * x = w * x.
enum class PencilForm { plain = 1, product = 2, reversed = 3 };

template <class T>
ColumnArray<T> adjoint_of(std::ptrdiff_t n, Columns<const T> a) {
  ColumnArray<T> turned(n, n);
  const MatrixView<const T> adjoint = a.adjoint();
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < n; ++i) turned(i, j) = adjoint(i, j);
  }
  return turned;
}

/// Replaces A by the Hermitian matrix with the eigenvalues of the pencil. `l` has zeros above its diagonal.
template <class T>
void reduce_pencil(std::ptrdiff_t n, PencilForm form, Columns<T> a, Columns<const T> l) {
  ColumnArray<T> half(n, n);
  if (form == PencilForm::plain) {
    solve_triangular<T>({n, n}, T(1), l.view(), {}, a.view());
    half = adjoint_of<T>(n, {a.at, a.leading});
    solve_triangular<T>({n, n}, T(1), l.view(), {}, half.columns().view());
    copy_columns<T, T>({n, n}, half.columns(), a);
    return;
  }
  multiply<T, T, T>({n, n}, n, T(1), a.reading(), l.view(), T(0), half.columns().view());
  multiply<T, T, T>({n, n}, n, T(1), l.adjoint(), half.columns().reading(), T(0), a.view());
}

/// Replaces eigenvectors of the reduced matrix by those of the pencil.
template <class T>
void restore_vectors(std::ptrdiff_t n, PencilForm form, Columns<T> v, Columns<const T> l) {
  if (form != PencilForm::reversed) return solve_triangular<T>({n, n}, T(1), l.adjoint(), {true}, v.view());
  multiply_triangular<T>({n, n}, T(1), l.view(), {}, v.reading(), v.view());
}

}  // namespace warpfiber::dense
