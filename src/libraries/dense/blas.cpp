// SPDX-License-Identifier: Apache-2.0
//
// A view is what BLAS calls a matrix as it is, its transposed or its adjoint one, if elements of a column or of a row
// lie next to each other.
#include "dense/blas.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "dense/blas_library.hpp"

namespace warpfiber::dense {
namespace {

// Products with a vector, or nearly so, are bound by memory: loops are as fast.
constexpr std::ptrdiff_t kNarrow = 4;

/// What the library's sizes hold.
bool fits_int(MatrixSize size) {
  return std::max(size.rows, size.columns) <= std::numeric_limits<int>::max();
}

/// A matrix in memory, by columns, and what is made of it.
struct BlasOperand {
  char form;
  int leading;
};

template <class T>
std::optional<BlasOperand> operand_of(MatrixSize size, const MatrixView<T>& view) {
  if (!fits_int(size)) return std::nullopt;
  const bool conjugated = view.conjugated && IsComplex<std::remove_const_t<T>>::value;
  const auto fits = [](std::ptrdiff_t rows, std::ptrdiff_t step) {
    return step >= rows && step == static_cast<int>(step);
  };
  if (view.row_step == 1 && !conjugated && fits(std::max<std::ptrdiff_t>(size.rows, 1), view.column_step)) {
    return BlasOperand{'N', static_cast<int>(view.column_step)};
  }
  if (view.column_step == 1 && fits(std::max<std::ptrdiff_t>(size.columns, 1), view.row_step)) {
    return BlasOperand{conjugated ? 'C' : 'T', static_cast<int>(view.row_step)};
  }
  return std::nullopt;
}

bool is_narrow(MatrixSize size, std::ptrdiff_t k) {
  return std::min({size.rows, size.columns, k}) < kNarrow && blas_use() != BlasUse::always;
}

/// A and B of an operation with a triangular A. Where rows of B lie next to each other, memory holds its transposed
/// matrix, with A's on the right of it.
struct TriangleOperands {
  bool on_right;
  std::optional<BlasOperand> a, b;

  bool fit() const { return a.has_value() && b.has_value() && b->form == 'N'; }
};

template <class T>
TriangleOperands operands_of(MatrixSize size, MatrixView<const T> a, MatrixView<T> b) {
  const MatrixSize order{size.rows, size.rows};
  if (b.row_step == 1) return {false, operand_of(order, a), operand_of(size, b)};
  return {true, operand_of(order, a.transposed()), operand_of({size.columns, size.rows}, b.transposed())};
}

/// Calls trmm or trsm, which is what `select` returns.
template <class T, class Select>
void call_with_triangle(MatrixSize size, T alpha, MatrixView<const T> a, Triangle triangle, MatrixView<T> b,
                        Select select) {
  const TriangleOperands operands = operands_of(size, a, b);
  const bool upper = triangle.upper != operands.on_right;
  const char side = operands.on_right ? 'R' : 'L';
  const char part = upper == (operands.a->form == 'N') ? 'U' : 'L';
  const char diagonal = triangle.unit ? 'U' : 'N';
  const int rows = static_cast<int>(operands.on_right ? size.columns : size.rows);
  const int columns = static_cast<int>(operands.on_right ? size.rows : size.columns);
  const BlasCall<T> call(multiplications(size, size.rows));
  select(call)(&side, &part, &operands.a->form, &diagonal, &rows, &columns, &alpha, a.at, &operands.a->leading, b.at,
               &operands.b->leading);
}

}  // namespace

template <class T>
bool multiply_by_blas(MatrixSize size, std::ptrdiff_t k, T alpha, MatrixView<const T> a, MatrixView<const T> b, T beta,
                      MatrixView<T> c) {
  if (alpha == T{} || is_narrow(size, k)) return false;
  const auto left = operand_of({size.rows, k}, a);
  const auto right = operand_of({k, size.columns}, b);
  const auto to = operand_of(size, c);
  if (!left.has_value() || !right.has_value() || !to.has_value() || to->form != 'N') return false;
  const BlasCall<T> call(multiplications(size, k));
  if (!call) return false;
  const int m = static_cast<int>(size.rows);
  const int n = static_cast<int>(size.columns);
  const int terms = static_cast<int>(k);
  call->gemm(&left->form, &right->form, &m, &n, &terms, &alpha, a.at, &left->leading, b.at, &right->leading, &beta,
             c.at, &to->leading);
  return true;
}

template <class T>
bool fits_blas(MatrixSize size, T alpha, MatrixView<const T> a, MatrixView<T> b) {
  if (alpha == T{} || is_narrow(size, size.rows)) return false;
  return operands_of(size, a, b).fit() && blas_for(multiplications(size, size.rows)) != nullptr;
}

template <class T>
void multiply_triangular_by_blas(MatrixSize size, T alpha, MatrixView<const T> a, Triangle triangle, MatrixView<T> b) {
  call_with_triangle(size, alpha, a, triangle, b, [](const BlasCall<T>& call) { return call->trmm; });
}

template <class T>
void solve_triangular_by_blas(MatrixSize size, T alpha, MatrixView<const T> a, Triangle triangle, MatrixView<T> b) {
  call_with_triangle(size, alpha, a, triangle, b, [](const BlasCall<T>& call) { return call->trsm; });
}

#define WARPFIBER_BY_BLAS(T)                                                                                 \
  template bool multiply_by_blas(MatrixSize, std::ptrdiff_t, T, MatrixView<const T>, MatrixView<const T>, T, \
                                 MatrixView<T>);                                                             \
  template bool fits_blas(MatrixSize, T, MatrixView<const T>, MatrixView<T>);                                \
  template void multiply_triangular_by_blas(MatrixSize, T, MatrixView<const T>, Triangle, MatrixView<T>);    \
  template void solve_triangular_by_blas(MatrixSize, T, MatrixView<const T>, Triangle, MatrixView<T>);

WARPFIBER_BY_BLAS(float)
WARPFIBER_BY_BLAS(double)
WARPFIBER_BY_BLAS(std::complex<float>)
WARPFIBER_BY_BLAS(std::complex<double>)

}  // namespace warpfiber::dense
