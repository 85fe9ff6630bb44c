// SPDX-License-Identifier: Apache-2.0
// What cuSOLVER's functions of singular values do. They compute in double precision.
#pragma once

#include <vector>

#include "abi/cusolver/spectra.hpp"
#include "dense/singular_values.hpp"

namespace warpfiber::abi {

/// Where the parts of A = U * S * V^H go. Of U `columns_of_u` and of V `columns_of_v` columns are asked for; 0: none.
template <class T>
struct SingularParts {
  Real<T>* s;
  Columns<T> u;
  std::int64_t columns_of_u;
  Columns<T> v;
  std::int64_t columns_of_v;
  bool v_is_adjoint;  // memory holds V^H
};

template <class T>
dense::ColumnArray<DoublePrecision<T>> wide_copy(MatrixSize size, Columns<const T> a, bool adjoint) {
  dense::ColumnArray<DoublePrecision<T>> wide(size.rows, size.columns);
  const dense::MatrixView<const T> view = adjoint ? a.adjoint() : a.view();
  for (std::int64_t j = 0; j < size.columns; ++j) {
    for (std::int64_t i = 0; i < size.rows; ++i) wide(i, j) = DoublePrecision<T>(view(i, j));
  }
  return wide;
}

template <class T>
void put_columns(MatrixSize size, dense::ColumnArray<DoublePrecision<T>>& from, Columns<T> to, bool adjoint) {
  for (std::int64_t j = 0; j < size.columns; ++j) {
    for (std::int64_t i = 0; i < size.rows; ++i) {
      if (adjoint) {
        to(j, i) = T(dense::conjugate(from(i, j)));
      } else {
        to(i, j) = T(from(i, j));
      }
    }
  }
}

/// All parts of A. Of one that is wider than high the adjoint's are found.
template <class T>
dense::JacobiOutcome find_parts(MatrixSize size, Columns<const T> a, const SingularParts<T>& parts,
                                const dense::JacobiLimits& limits) {
  const bool wide = size.columns > size.rows;
  const MatrixSize high{std::max(size.rows, size.columns), std::min(size.rows, size.columns)};
  dense::ColumnArray<DoublePrecision<T>> copy = wide_copy(high, a, wide);
  dense::ColumnArray<DoublePrecision<T>> u(high.rows, high.rows);
  dense::ColumnArray<DoublePrecision<T>> v(high.columns, high.columns);
  std::vector<double> values(static_cast<std::size_t>(high.columns));
  const Columns<DoublePrecision<T>> read = copy.columns();
  const std::int64_t asked = std::max(wide ? parts.columns_of_v : parts.columns_of_u, high.columns);
  const auto outcome = dense::find_singular_values(high, {read.at, read.leading}, values.data(),
                                                   {u.columns(), asked, v.columns()}, limits);
  for (std::int64_t i = 0; i < high.columns; ++i) parts.s[i] = static_cast<Real<T>>(values[i]);
  put_columns<T>({size.rows, parts.columns_of_u}, wide ? v : u, parts.u, false);
  put_columns<T>({size.columns, parts.columns_of_v}, wide ? u : v, parts.v, parts.v_is_adjoint);
  return outcome;
}

template <class T>
void add_parts(SolverOperation& operation, MatrixSize size, const SingularParts<T>& parts) {
  operation.writes("S", parts.s, std::min(size.rows, size.columns));
  if (parts.columns_of_u > 0) operation.writes("U", parts.u, {size.rows, parts.columns_of_u});
  if (parts.columns_of_v == 0) return;
  const MatrixSize of_v{size.columns, parts.columns_of_v};
  if (parts.v_is_adjoint) {
    operation.writes("VT", parts.v, {of_v.columns, of_v.rows});
  } else {
    operation.writes("V", parts.v, of_v);
  }
}

/// How many columns a job of LAPACK's asks for: A, S, O and N are all, as many as there are values, the same in place
/// of A, and none.
inline std::int64_t columns_of_job(signed char job, std::int64_t all, std::int64_t values) {
  if (job == 'A') return all;
  return job == 'N' ? 0 : values;
}

inline void check_job(SolverOperation& operation, const char* name, signed char job) {
  if (job != 'A' && job != 'S' && job != 'O' && job != 'N') operation.choose(name, job, 'A', 'A');
}

template <class T>
SolverResult gesvd(SolverOperation& operation, signed char jobu, signed char jobvt, MatrixSize size, Columns<T> a,
                   Real<T>* s, Columns<T> u, Columns<T> vt, const Workspace<T>& work, int* info) {
  check_job(operation, "jobu", jobu);
  check_job(operation, "jobvt", jobvt);
  if (jobu == 'O' && jobvt == 'O') operation.choose("jobvt besides jobu", jobvt, 'A', 'A');
  operation.at_least("n", size.columns, 0);
  operation.at_least("m", size.rows, size.columns);
  operation.order("m", size.rows, "lda", a.leading);
  const std::int64_t values = std::min(size.rows, size.columns);
  SingularParts<T> parts{
      s, u, columns_of_job(jobu, size.rows, values), vt, columns_of_job(jobvt, size.columns, values), true};
  if (jobu == 'A' || jobu == 'S') operation.at_least("ldu", u.leading, std::max<std::int64_t>(1, size.rows));
  if (jobvt == 'A' || jobvt == 'S')
    operation.at_least("ldvt", vt.leading, std::max<std::int64_t>(1, parts.columns_of_v));
  if (jobu == 'O') parts.u = a;
  if (jobvt == 'O') parts.v = a;
  operation.uses(work, workspace_size(size.rows, size.columns));
  if (operation.failed()) return operation.result();
  operation.changes("A", a, size);
  add_parts(operation, size, parts);
  return operation.submit(info, [=] {
    constexpr int kSweeps = 60;
    const auto outcome = find_parts<T>(size, {a.at, a.leading}, parts, {0, kSweeps, true});
    return outcome.converged ? 0 : values;
  });
}

}  // namespace warpfiber::abi
