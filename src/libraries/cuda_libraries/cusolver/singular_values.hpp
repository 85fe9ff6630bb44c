// SPDX-License-Identifier: Apache-2.0
// What cuSOLVER's functions of singular values do. They compute in double precision.
#pragma once

#include <vector>

#include "cuda_libraries/cusolver/spectra.hpp"
#include "dense/eigenvalues.hpp"

namespace warpfiber::cuda_libraries {

/// Where the parts of A = U * S * V^H go. Of U `columns_of_u` and of V `columns_of_v` columns are asked for; 0: none.
template <class T>
struct SingularParts {
  Real<T>* s;
  Columns<T> u;
  std::int64_t columns_of_u;
  Columns<T> v;
  std::int64_t columns_of_v;
  bool v_is_adjoint;    // memory holds V^H
  std::int64_t values;  // how many of S are asked for, the largest first
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

/// All parts of A. Of one that is wider than high the adjoint's are found. Returns what find_singular_values() returns:
/// by rotations with `limits`, by LAPACK without.
template <class T, class... Limits>
auto find_parts(MatrixSize size, Columns<const T> a, const SingularParts<T>& parts, const Limits&... limits) {
  const bool wide = size.columns > size.rows;
  const MatrixSize high{std::max(size.rows, size.columns), std::min(size.rows, size.columns)};
  dense::ColumnArray<DoublePrecision<T>> copy = wide_copy(high, a, wide);
  dense::ColumnArray<DoublePrecision<T>> v(high.columns, high.columns);
  std::vector<double> values(static_cast<std::size_t>(high.columns));
  const Columns<DoublePrecision<T>> read = copy.columns();
  const std::int64_t asked = std::max(wide ? parts.columns_of_v : parts.columns_of_u, high.columns);
  dense::ColumnArray<DoublePrecision<T>> u(high.rows, asked);
  const auto outcome = dense::find_singular_values<DoublePrecision<T>>(high, {read.at, read.leading}, values.data(),
                                                                       {u.columns(), asked, v.columns()}, limits...);
  for (std::int64_t i = 0; i < parts.values; ++i) parts.s[i] = static_cast<Real<T>>(values[i]);
  put_columns<T>({size.rows, parts.columns_of_u}, wide ? v : u, parts.u, false);
  put_columns<T>({size.columns, parts.columns_of_v}, wide ? u : v, parts.v, parts.v_is_adjoint);
  return outcome;
}

template <class T>
void add_parts(SolverOperation& operation, MatrixSize size, const SingularParts<T>& parts) {
  operation.writes("S", parts.s, parts.values);
  if (parts.columns_of_u > 0) operation.writes("U", parts.u, {size.rows, parts.columns_of_u});
  if (parts.columns_of_v == 0) return;
  const MatrixSize of_v{size.columns, parts.columns_of_v};
  if (parts.v_is_adjoint) {
    operation.writes("VT", parts.v, {of_v.columns, of_v.rows});
  } else {
    operation.writes("V", parts.v, of_v);
  }
}

/// What functions by other methods than QR are asked for.
struct JacobiJob {
  cusolverEigMode_t mode;
  bool economic;
  MatrixSize size;

  std::int64_t values() const { return std::min(size.rows, size.columns); }
  std::int64_t columns(std::int64_t all) const {
    if (mode == CUSOLVER_EIG_MODE_NOVECTOR) return 0;
    return economic ? values() : all;
  }
  template <class T>
  SingularParts<T> asked(SingularParts<T> parts) const {
    parts.columns_of_u = columns(size.rows);
    parts.columns_of_v = columns(size.columns);
    parts.values = values();
    return parts;
  }
};

struct LeadingDimensions {
  std::int64_t a;
  std::int64_t u;
  std::int64_t v;
};

/// `first`: the position of m.
inline void check_job(SolverOperation& operation, const JacobiJob& job, const LeadingDimensions& leading, int first) {
  operation.choose({"mode", 1}, job.mode, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR);
  operation.at_least({"n", first + 1}, job.size.columns, 0);
  operation.rows({"m", first}, job.size.rows, {"lda", first + 3}, leading.a);
  if (job.mode == CUSOLVER_EIG_MODE_NOVECTOR) return;
  operation.at_least({"ldu", first + 6}, leading.u, std::max<std::int64_t>(1, job.size.rows));
  operation.at_least({"ldv", first + 8}, leading.v, std::max<std::int64_t>(1, job.size.columns));
}

/// How many columns a job of LAPACK's asks for: A, S, O and N are all, as many as there are values, the same in place
/// of A, and none.
inline std::int64_t columns_of_job(signed char job, std::int64_t all, std::int64_t values) {
  if (job == 'A') return all;
  return job == 'N' ? 0 : values;
}

inline void check_job(SolverOperation& operation, const Argument& argument, signed char job) {
  if (job != 'A' && job != 'S' && job != 'O' && job != 'N') operation.choose(argument, job, 'A', 'A');
}

/// By LAPACK.
inline void needs_values_of_lapack(SolverOperation& operation, MatrixSize size) {
  operation.needs_lapack({{"m", size.rows}, {"n", size.columns}});
  const bool wide = size.columns > size.rows;
  operation.needs_lapack({{wide ? "m" : "n", std::min(size.rows, size.columns)}}, dense::kMostValues);
}

template <class T>
SolverResult gesvd(SolverOperation& operation, signed char jobu, signed char jobvt, MatrixSize size, Columns<T> a,
                   Real<T>* s, Columns<T> u, Columns<T> vt, const Workspace<T>& work, int* info) {
  check_job(operation, {"jobu", 1}, jobu);
  check_job(operation, {"jobvt", 2}, jobvt);
  if (jobu == 'O' && jobvt == 'O') operation.choose({"jobvt besides jobu", 2}, jobvt, 'A', 'A');
  operation.at_least({"m", 3}, size.rows, 0);
  operation.at_least({"n", 4}, size.columns, 0);
  operation.at_least({"m", 3}, size.rows, size.columns);
  operation.rows({"m", 3}, size.rows, {"lda", 6}, a.leading);
  const std::int64_t values = std::min(size.rows, size.columns);
  SingularParts<T> parts{
      s, u, columns_of_job(jobu, size.rows, values), vt, columns_of_job(jobvt, size.columns, values), true, values};
  if (jobu == 'A' || jobu == 'S') operation.at_least({"ldu", 9}, u.leading, std::max<std::int64_t>(1, size.rows));
  if (jobvt == 'A' || jobvt == 'S')
    operation.at_least({"ldvt", 11}, vt.leading, std::max<std::int64_t>(1, parts.columns_of_v));
  if (jobu == 'O') parts.u = a;
  if (jobvt == 'O') parts.v = a;
  needs_values_of_lapack(operation, size);
  if (operation.failed()) return operation.refused(info);
  operation.uses(work, workspace_size(size.rows, size.columns));
  operation.changes("A", a, size);
  add_parts(operation, size, parts);
  return operation.submit(info, [=] {
    const bool converged = find_parts<T>(size, {a.at, a.leading}, parts);
    return converged ? 0 : values;
  });
}

template <class T>
SolverResult gesvdp(SolverOperation& operation, const JacobiJob& job, Columns<T> a, const SingularParts<T>& parts,
                    const Workspace<T>& work, int* info) {
  check_job(operation, job, {a.leading, parts.u.leading, parts.v.leading}, 0);
  needs_values_of_lapack(operation, job.size);
  if (operation.failed()) return operation.result();
  operation.uses(work, workspace_size(job.size.rows, job.size.columns));
  operation.changes("A", a, job.size);
  add_parts(operation, job.size, parts);
  return operation.submit(info, [=] {
    const bool converged = find_parts<T>(job.size, {a.at, a.leading}, parts);
    return converged ? 0 : job.values() + 1;
  });
}

}  // namespace warpfiber::cuda_libraries
