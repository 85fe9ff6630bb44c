// SPDX-License-Identifier: Apache-2.0
// What cuSOLVER's functions of triangular factors and reflections do, for the interfaces with types in names and with
// types by number.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "cuda_libraries/cusolver/operation.hpp"
#include "dense/factors.hpp"
#include "dense/lapack.hpp"

namespace warpfiber::cuda_libraries {

/// Changes the triangle of a symmetric matrix in place; `change` returns what devInfo gets.
template <class T, class Change>
SolverResult change_triangle(SolverOperation& operation, cublasFillMode_t part, std::int64_t n, Columns<T> a,
                             const Workspace<T>& work, int* info, Change change) {
  operation.fill_mode(part, 1);
  operation.rows({"n", 2}, n, {"lda", 4}, a.leading);
  operation.needs_lapack({{"n", n}, {"lda", a.leading}});
  if (operation.failed()) return operation.refused(info);
  operation.uses(work, workspace_size(n, n));
  operation.changes_triangle("A", a, n, is_upper(part));
  return operation.submit(info, [=] { return change(n, a, is_upper(part)); });
}

template <class T>
SolverResult potrf(SolverOperation& operation, cublasFillMode_t part, std::int64_t n, Columns<T> a,
                   const Workspace<T>& work, int* info) {
  return change_triangle(operation, part, n, a, work, info, dense::factor_cholesky<T>);
}

template <class T>
SolverResult potri(SolverOperation& operation, cublasFillMode_t part, std::int64_t n, Columns<T> a,
                   const Workspace<T>& work, int* info) {
  return change_triangle(operation, part, n, a, work, info, dense::invert_cholesky<T>);
}

template <class T>
SolverResult potrs(SolverOperation& operation, cublasFillMode_t part, MatrixSize size, Columns<const T> a, Columns<T> b,
                   int* info) {
  operation.fill_mode(part, 1);
  operation.at_least({"n", 2}, size.rows, 0);
  operation.at_least({"nrhs", 3}, size.columns, 0);
  operation.rows({"n", 2}, size.rows, {"lda", 5}, a.leading);
  operation.rows({"n", 2}, size.rows, {"ldb", 7}, b.leading);
  operation.needs_lapack({{"n", size.rows}, {"nrhs", size.columns}, {"lda", a.leading}, {"ldb", b.leading}});
  if (operation.failed()) return operation.refused(info);
  operation.reads_triangle("A", a, size.rows, is_upper(part));
  operation.changes("B", b, size);
  return operation.submit(info, [=] {
    dense::solve_cholesky(size, a, is_upper(part), b);
    return 0;
  });
}

/// Pivots as LAPACK takes them. Null: no row is exchanged.
template <class Index>
std::vector<int> pivots_of(std::int64_t n, const Index* pivots) {
  std::vector<int> rows(static_cast<std::size_t>(n));
  if (pivots == nullptr) {
    std::iota(rows.begin(), rows.end(), 1);
  } else {
    std::transform(pivots, pivots + n, rows.begin(), [](Index row) { return static_cast<int>(row); });
  }
  return rows;
}

/// LAPACK has no factors without pivots.
template <class T, class Index>
std::ptrdiff_t factor_lu(MatrixSize size, Columns<T> a, Index* pivots) {
  if (pivots == nullptr) return dense::factor_lu<T>(size, a, nullptr);
  std::vector<int> rows(static_cast<std::size_t>(std::min(size.rows, size.columns)));
  const std::ptrdiff_t info = dense::factor_with_pivots(size, a, rows.data());
  std::copy(rows.begin(), rows.end(), pivots);
  return info;
}

template <class T, class Index>
SolverResult getrf(SolverOperation& operation, MatrixSize size, Columns<T> a, const Workspace<T>& work, Index* pivots,
                   int* info) {
  operation.at_least({"m", 1}, size.rows, 0);
  operation.at_least({"n", 2}, size.columns, 0);
  operation.rows({"m", 1}, size.rows, {"lda", 4}, a.leading);
  if (pivots != nullptr) operation.needs_lapack({{"m", size.rows}, {"n", size.columns}, {"lda", a.leading}});
  if (operation.failed()) return operation.refused(info);
  operation.uses(work, workspace_size(size.rows, size.columns));
  operation.changes("A", a, size);
  if (pivots != nullptr) operation.writes("devIpiv", pivots, std::min(size.rows, size.columns));
  return operation.submit(info, [=] { return factor_lu(size, a, pivots); });
}

template <class T>
SolverResult trtri(SolverOperation& operation, cublasFillMode_t part, cublasDiagType_t diagonal, std::int64_t n,
                   Columns<T> a, const Workspace<T>& work, int* info) {
  operation.fill_mode(part, 1);
  operation.choose({"diagonal type", 2}, diagonal, CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT);
  operation.rows({"n", 3}, n, {"lda", 6}, a.leading);
  operation.needs_lapack({{"n", n}, {"lda", a.leading}});
  if (operation.failed()) return operation.refused(info);
  operation.uses(work, workspace_size(n, n));
  operation.changes_triangle("A", a, n, is_upper(part));
  return operation.submit(info, [=] {
    return dense::invert_triangle(n, a, {is_upper(part), diagonal == CUBLAS_DIAG_UNIT});
  });
}

inline dense::SystemForm form_of(cublasOperation_t trans) {
  if (trans == CUBLAS_OP_N) return dense::SystemForm::plain;
  return trans == CUBLAS_OP_T ? dense::SystemForm::transposed : dense::SystemForm::adjoint;
}

template <class T, class Index>
SolverResult getrs(SolverOperation& operation, cublasOperation_t trans, MatrixSize size, Columns<const T> a,
                   const Index* pivots, Columns<T> b, int* info) {
  operation.choose({"operation", 1}, trans, CUBLAS_OP_N, CUBLAS_OP_C);
  operation.at_least({"n", 2}, size.rows, 0);
  operation.at_least({"nrhs", 3}, size.columns, 0);
  operation.rows({"n", 2}, size.rows, {"lda", 5}, a.leading);
  operation.rows({"n", 2}, size.rows, {"ldb", 8}, b.leading);
  operation.needs_lapack({{"n", size.rows}, {"nrhs", size.columns}, {"lda", a.leading}, {"ldb", b.leading}});
  if (operation.failed()) return operation.refused(info);
  operation.reads("A", a, {size.rows, size.rows});
  if (pivots != nullptr) operation.reads("devIpiv", pivots, size.rows);
  operation.changes("B", b, size);
  return operation.submit(info, [=] {
    dense::solve_with_pivots(size, a, form_of(trans), pivots_of(size.rows, pivots).data(), b);
    return 0;
  });
}

template <class T>
SolverResult geqrf(SolverOperation& operation, MatrixSize size, Columns<T> a, T* tau, const Workspace<T>& work,
                   int* info) {
  operation.at_least({"m", 1}, size.rows, 0);
  operation.at_least({"n", 2}, size.columns, 0);
  operation.rows({"m", 1}, size.rows, {"lda", 4}, a.leading);
  operation.needs_lapack({{"m", size.rows}, {"n", size.columns}, {"lda", a.leading}});
  if (operation.failed()) return operation.refused(info);
  operation.uses(work, workspace_size(size.rows, size.columns));
  operation.changes("A", a, size);
  operation.writes("TAU", tau, std::min(size.rows, size.columns));
  return operation.submit(info, [=] {
    dense::factor_qr(size, a, tau);
    return 0;
  });
}

}  // namespace warpfiber::cuda_libraries
