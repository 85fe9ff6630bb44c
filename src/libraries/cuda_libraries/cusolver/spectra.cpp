// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's eigenvalues of one type: by LAPACK, by Jacobi's method, of pencils.
#include "cuda_libraries/cusolver/spectra.hpp"

namespace warpfiber::cuda_libraries {
namespace {

/// Eigenvalues of one matrix by Jacobi's method. Returns what goes to devInfo.
template <class T>
int jacobi(bool with_vectors, const Hermitian<T>& matrix, dense::ColumnArray<DoublePrecision<T>> whole, Real<T>* w,
           const dense::JacobiLimits& limits, dense::JacobiOutcome& outcome) {
  const std::int64_t n = matrix.n;
  dense::ColumnArray<DoublePrecision<T>> vectors(n, n);
  std::vector<double> values(static_cast<std::size_t>(n));
  dense::JacobiLimits of_type = limits;
  of_type.tolerance = std::max(limits.tolerance, double(std::numeric_limits<Real<T>>::epsilon()));
  outcome = dense::find_spectrum_by_rotations(n, whole.columns(), vectors.columns(), values.data(), of_type);
  put_spectrum<T, int>(n, values, vectors.columns(), with_vectors, {}, w, matrix.a);
  return outcome.converged ? 0 : static_cast<int>(n) + 1;
}

template <class T>
SolverResult syevj(SolverOperation& operation, cusolverEigMode_t mode, const Hermitian<T>& matrix, Real<T>* values,
                   const Workspace<T>& work, int* info, syevjInfo_t parameters) {
  check_hermitian(operation, mode, matrix);
  operation.not_null("params", parameters);
  if (operation.failed()) return operation.refused(info);
  operation.uses(work, workspace_size(matrix.n, matrix.n));
  add_hermitian(operation, mode, matrix, values);
  return operation.submit(info, [=, limits = parameters->limits, outcome = parameters->outcome] {
    return jacobi(mode == CUSOLVER_EIG_MODE_VECTOR, matrix, matrix.whole(), values, limits, *outcome);
  });
}

template <class T>
SolverResult syevj_batched(SolverOperation& operation, cusolverEigMode_t mode, const Hermitian<T>& first,
                           Real<T>* values, const Workspace<T>& work, int* infos, syevjInfo_t parameters, int count) {
  check_hermitian(operation, mode, first);
  operation.not_null("params", parameters);
  operation.at_least({"batchSize"}, count, 0);
  if (operation.failed()) return operation.refused(infos);
  operation.uses(work, workspace_size(first.n, first.n));
  const auto matrix = [=](int number) {
    Hermitian<T> one = first;
    one.a.at += number * first.n * first.a.leading;
    return one;
  };
  for (int i = 0; i < count; ++i) add_hermitian(operation, mode, matrix(i), values + i * first.n);
  operation.writes("devInfo", infos, count);
  return operation.submit_work([=, limits = parameters->limits] {
    for (int i = 0; i < count; ++i) {
      dense::JacobiOutcome outcome;
      infos[i] =
          jacobi(mode == CUSOLVER_EIG_MODE_VECTOR, matrix(i), matrix(i).whole(), values + i * first.n, limits, outcome);
    }
  });
}

/// A pencil of two matrices, whose triangles are stored.
template <class T>
struct Pencil {
  cusolverEigType_t type;
  Hermitian<T> a;
  Columns<T> b;

  dense::PencilForm form() const { return static_cast<dense::PencilForm>(type); }
};

template <class T>
void check_pencil(SolverOperation& operation, cusolverEigMode_t mode, const Pencil<T>& pencil) {
  operation.choose({"type", 1}, pencil.type, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_TYPE_3);
  check_hermitian(operation, mode, pencil.a, 2);
  operation.rows({"n", 4}, pencil.a.n, {"ldb", 8}, pencil.b.leading);
}

/// Calls `find(A, L)` of the reduced matrix, which returns what goes to devInfo, unless B is not positive definite.
template <class T, class Find>
std::ptrdiff_t with_reduced(const Pencil<T>& pencil, Find find) {
  const std::int64_t n = pencil.a.n;
  const bool upper = pencil.a.upper();
  dense::ColumnArray<DoublePrecision<T>> b = Hermitian<T>{pencil.a.part, n, pencil.b}.whole();
  const Columns<DoublePrecision<T>> l = b.columns();
  if (const std::ptrdiff_t info = dense::factor_cholesky(n, l, false); info != 0) return n + info;
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = j; i < n; ++i) {
      if (upper) {
        pencil.b(j, i) = T(dense::conjugate(l(i, j)));
      } else {
        pencil.b(i, j) = T(l(i, j));
      }
    }
  }
  const Columns<const DoublePrecision<T>> factor{l.at, l.leading};
  dense::ColumnArray<DoublePrecision<T>> a = pencil.a.whole();
  dense::reduce_pencil(n, pencil.form(), a.columns(), factor);
  return find(a, factor);
}

template <class T>
void add_pencil(SolverOperation& operation, cusolverEigMode_t mode, const Pencil<T>& pencil, Real<T>* values) {
  add_hermitian(operation, mode, pencil.a, values);
  operation.changes_triangle("B", pencil.b, pencil.a.n, pencil.a.upper());
}

template <class T>
SolverResult sygvd(SolverOperation& operation, cusolverEigMode_t mode, const Pencil<T>& pencil, Real<T>* values,
                   const Workspace<T>& work, int* info, const EigenRange<Real<T>, int>& range = {}) {
  check_pencil(operation, mode, pencil);
  check_range(operation, pencil.a.n, range);
  operation.needs_lapack({{"n", pencil.a.n}}, dense::kMostValues);
  if (operation.failed()) return operation.refused(info);
  operation.uses(work, workspace_size(pencil.a.n, pencil.a.n));
  add_pencil(operation, mode, pencil, values);
  const bool vectors = mode == CUSOLVER_EIG_MODE_VECTOR;
  const auto compute = [=] {
    return with_reduced(pencil, [&](dense::ColumnArray<DoublePrecision<T>>& a, Columns<const DoublePrecision<T>> l) {
      const std::int64_t n = pencil.a.n;
      std::vector<double> found(static_cast<std::size_t>(n));
      const std::ptrdiff_t result = dense::find_spectrum(n, a.columns(), found.data());
      if (vectors) dense::restore_vectors(n, pencil.form(), a.columns(), l);
      put_spectrum<T>(n, found, a.columns(), vectors, range, values, pencil.a.a);
      return result;
    });
  };
  using device_memory::Wait;
  return operation.submit(info, compute, range.found != nullptr ? Wait::yes : Wait::no);
}

template <class T>
SolverResult sygvj(SolverOperation& operation, cusolverEigMode_t mode, const Pencil<T>& pencil, Real<T>* values,
                   const Workspace<T>& work, int* info, syevjInfo_t parameters) {
  check_pencil(operation, mode, pencil);
  operation.not_null("params", parameters);
  operation.needs_lapack({});
  if (operation.failed()) return operation.refused(info);
  operation.uses(work, workspace_size(pencil.a.n, pencil.a.n));
  add_pencil(operation, mode, pencil, values);
  return operation.submit(info, [=, limits = parameters->limits, outcome = parameters->outcome] {
    return with_reduced(
        pencil, [&](dense::ColumnArray<DoublePrecision<T>>& a, Columns<const DoublePrecision<T>> l) -> std::ptrdiff_t {
          const std::int64_t n = pencil.a.n;
          dense::ColumnArray<DoublePrecision<T>> vectors(n, n);
          std::vector<double> found(static_cast<std::size_t>(n));
          *outcome = dense::find_spectrum_by_rotations(n, a.columns(), vectors.columns(), found.data(), limits);
          dense::restore_vectors(n, pencil.form(), vectors.columns(), l);
          put_spectrum<T, int>(n, found, vectors.columns(), mode == CUSOLVER_EIG_MODE_VECTOR, {}, values, pencil.a.a);
          return outcome->converged ? 0 : n + 1;
        });
  });
}

SolverResult needs(SolverOperation& operation, cusolverEigMode_t mode, cublasFillMode_t part, int n, int lda,
                   int* count) {
  check_hermitian<float>(operation, mode, {part, n, {nullptr, lda}});
  return operation.needs(count, workspace_size(n, n));
}

SolverResult needs(SolverOperation& operation, cusolverEigType_t type, cusolverEigMode_t mode, cublasFillMode_t part,
                   int n, int lda, int ldb, int* count) {
  check_pencil<float>(operation, mode, {type, {part, n, {nullptr, lda}}, {nullptr, ldb}});
  return operation.needs(count, workspace_size(n, n));
}

template <class T>
Hermitian<Number<T>> hermitian(cublasFillMode_t part, std::int64_t n, T* at, std::int64_t leading) {
  return {part, n, columns(at, leading)};
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

// clang-format off
#define WARPFIBER_CALL(call) return solver_operation(__func__, handle, [&](SolverOperation& operation) { return call; })

#define WARPFIBER_EIGENVALUES(t, T, R, s)                                                                              \
  cusolverStatus_t cusolverDn##t##s##evd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                 \
                                                    cublasFillMode_t uplo, int n, const T*, int lda, const R*,         \
                                                    int* lwork) {                                                      \
    WARPFIBER_CALL(needs(operation, jobz, uplo, n, lda, lwork));                                                       \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##evd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,     \
                                         int n, T* A, int lda, R* W, T* work, int lwork, int* devInfo) {               \
    WARPFIBER_CALL(syevd(operation, jobz, hermitian(uplo, n, A, lda), W, workspace(work, lwork), devInfo));            \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##evdx_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                \
                                                     cusolverEigRange_t, cublasFillMode_t uplo, int n, const T*,       \
                                                     int lda, R, R, int, int, int*, const R*, int* lwork) {            \
    WARPFIBER_CALL(needs(operation, jobz, uplo, n, lda, lwork));                                                       \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##evdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                           \
                                          cusolverEigRange_t range, cublasFillMode_t uplo, int n, T* A, int lda, R vl, \
                                          R vu, int il, int iu, int* meig, R* W, T* work, int lwork, int* devInfo) {   \
    WARPFIBER_CALL((syevd<Number<T>, int>(operation, jobz, hermitian(uplo, n, A, lda), W, workspace(work, lwork),      \
                                          devInfo, {range, vl, vu, il, iu, meig})));                                   \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##evj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                 \
                                                    cublasFillMode_t uplo, int n, const T*, int lda, const R*,         \
                                                    int* lwork, syevjInfo_t) {                                         \
    WARPFIBER_CALL(needs(operation, jobz, uplo, n, lda, lwork));                                                       \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##evj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,     \
                                         int n, T* A, int lda, R* W, T* work, int lwork, int* devInfo,                 \
                                         syevjInfo_t params) {                                                         \
    WARPFIBER_CALL(syevj(operation, jobz, hermitian(uplo, n, A, lda), W, workspace(work, lwork), devInfo, params));    \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##evjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,          \
                                                           cublasFillMode_t uplo, int n, const T*, int lda, const R*,  \
                                                           int* lwork, syevjInfo_t, int) {                             \
    WARPFIBER_CALL(needs(operation, jobz, uplo, n, lda, lwork));                                                       \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##evjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                     \
                                                cublasFillMode_t uplo, int n, T* A, int lda, R* W, T* work, int lwork, \
                                                int* devInfo, syevjInfo_t params, int batchSize) {                     \
    WARPFIBER_CALL(syevj_batched(operation, jobz, hermitian(uplo, n, A, lda), W, workspace(work, lwork), devInfo,      \
                                 params, batchSize));                                                                  \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##gvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,                \
                                                    cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T*,    \
                                                    int lda, const T*, int ldb, const R*, int* lwork) {                \
    WARPFIBER_CALL(needs(operation, itype, jobz, uplo, n, lda, ldb, lwork));                                           \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##gvd(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,   \
                                         cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R* W, T* work,    \
                                         int lwork, int* devInfo) {                                                    \
    WARPFIBER_CALL(sygvd<Number<T>>(operation, jobz, {itype, hermitian(uplo, n, A, lda), columns(B, ldb)}, W,          \
                                    workspace(work, lwork), devInfo));                                                 \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##gvdx_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,               \
                                                     cusolverEigMode_t jobz, cusolverEigRange_t,                       \
                                                     cublasFillMode_t uplo, int n, const T*, int lda, const T*,        \
                                                     int ldb, R, R, int, int, int*, const R*, int* lwork) {            \
    WARPFIBER_CALL(needs(operation, itype, jobz, uplo, n, lda, ldb, lwork));                                           \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##gvdx(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,  \
                                          cusolverEigRange_t range, cublasFillMode_t uplo, int n, T* A, int lda, T* B, \
                                          int ldb, R vl, R vu, int il, int iu, int* meig, R* W, T* work, int lwork,    \
                                          int* devInfo) {                                                              \
    WARPFIBER_CALL(sygvd<Number<T>>(operation, jobz, {itype, hermitian(uplo, n, A, lda), columns(B, ldb)}, W,          \
                                    workspace(work, lwork), devInfo, {range, vl, vu, il, iu, meig}));                  \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##gvj_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,                \
                                                    cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T*,    \
                                                    int lda, const T*, int ldb, const R*, int* lwork, syevjInfo_t) {   \
    WARPFIBER_CALL(needs(operation, itype, jobz, uplo, n, lda, ldb, lwork));                                           \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##s##gvj(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,   \
                                         cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R* W, T* work,    \
                                         int lwork, int* devInfo, syevjInfo_t params) {                                \
    WARPFIBER_CALL(sygvj<Number<T>>(operation, jobz, {itype, hermitian(uplo, n, A, lda), columns(B, ldb)}, W,          \
                                    workspace(work, lwork), devInfo, params));                                         \
  }
// clang-format on

WARPFIBER_EIGENVALUES(S, float, float, sy)
WARPFIBER_EIGENVALUES(D, double, double, sy)
WARPFIBER_EIGENVALUES(C, float2, float, he)
WARPFIBER_EIGENVALUES(Z, double2, double, he)

}  // extern "C"
