// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's singular values of one type.
#include "cuda_libraries/cusolver/singular_values.hpp"

#include <cmath>
#include <limits>

namespace warpfiber::cuda_libraries {
namespace {

template <class T>
dense::JacobiLimits limits_of(const gesvdjInfo& parameters) {
  dense::JacobiLimits limits = parameters.limits;
  limits.tolerance = std::max(limits.tolerance, double(std::numeric_limits<Real<T>>::epsilon()));
  return limits;
}

template <class T>
SolverResult gesvdj(SolverOperation& operation, const JacobiJob& job, Columns<T> a, SingularParts<T> parts,
                    const Workspace<T>& work, int* info, gesvdjInfo_t parameters) {
  parts = job.asked(parts);
  check_job(operation, job, {a.leading, parts.u.leading, parts.v.leading}, 3);
  operation.not_null("params", parameters);
  operation.needs_lapack({});
  if (operation.failed()) return operation.refused(info);
  operation.uses(work, workspace_size(job.size.rows, job.size.columns));
  operation.changes("A", a, job.size);
  add_parts(operation, job.size, parts);
  return operation.submit(info, [=, limits = limits_of<T>(*parameters), outcome = parameters->outcome]() {
    *outcome = find_parts<T>(job.size, {a.at, a.leading}, parts, limits);
    return outcome->converged ? 0 : job.values() + 1;
  });
}

/// Matrices that follow one another without a gap.
template <class T>
SolverResult gesvdj_batched(SolverOperation& operation, const JacobiJob& job, Columns<T> a, SingularParts<T> parts,
                            const Workspace<T>& work, int* infos, gesvdjInfo_t parameters, int count) {
  parts = job.asked(parts);
  check_job(operation, job, {a.leading, parts.u.leading, parts.v.leading}, 2);
  operation.not_null("params", parameters);
  operation.at_least({"batchSize"}, count, 0);
  operation.needs_lapack({});
  if (operation.failed()) return operation.refused(infos);
  operation.uses(work, workspace_size(job.size.rows, job.size.columns));
  const auto matrix = [=](int number) { return Columns<T>{a.column(number * job.size.columns), a.leading}; };
  const auto parts_of = [=](int number) {
    SingularParts<T> one = parts;
    one.s += number * job.values();
    one.u.at += number * job.size.rows * parts.u.leading;
    one.v.at += number * job.size.columns * parts.v.leading;
    return one;
  };
  for (int i = 0; i < count; ++i) {
    operation.changes("A", matrix(i), job.size);
    add_parts(operation, job.size, parts_of(i));
  }
  operation.writes("devInfo", infos, count);
  return operation.submit_work([=, limits = limits_of<T>(*parameters)] {
    for (int i = 0; i < count; ++i) {
      const auto outcome = find_parts<T>(job.size, {matrix(i).at, a.leading}, parts_of(i), limits);
      infos[i] = static_cast<int>(outcome.converged ? 0 : job.values() + 1);
    }
  });
}

/// Matrices, `strides` apart, of which the largest `rank` values are asked for.
template <class T>
struct RankedBatch {
  cusolverEigMode_t mode;
  std::int64_t rank;
  MatrixSize size;
  int count;
  Columns<const T> a;
  SingularParts<T> parts;
  struct {
    std::int64_t a, s, u, v;
  } strides;

  Columns<const T> matrix(int number) const { return {a.at + number * strides.a, a.leading}; }
  SingularParts<T> parts_of(int number) const {
    const std::int64_t columns = mode == CUSOLVER_EIG_MODE_VECTOR ? rank : 0;
    return {parts.s + number * strides.s,
            {parts.u.at + number * strides.u, parts.u.leading},
            columns,
            {parts.v.at + number * strides.v, parts.v.leading},
            columns,
            false,
            rank};
  }
};

/// The Frobenius norm of A - U * S * V^H.
template <class T>
double remainder_norm(MatrixSize size, Columns<const T> a, const SingularParts<T>& parts) {
  double square = 0;
  for (std::int64_t j = 0; j < size.columns; ++j) {
    for (std::int64_t i = 0; i < size.rows; ++i) {
      DoublePrecision<T> rest(a(i, j));
      for (std::int64_t k = 0; k < parts.columns_of_u; ++k) {
        rest -= double(parts.s[k]) *
                dense::product(DoublePrecision<T>(parts.u(i, k)), DoublePrecision<T>(dense::conjugate(parts.v(j, k))));
      }
      square += std::norm(rest);
    }
  }
  return std::sqrt(square);
}

template <class T>
SolverResult gesvda(SolverOperation& operation, const RankedBatch<T>& batch, const Workspace<T>& work, int* infos,
                    double* norms) {
  operation.choose({"mode"}, batch.mode, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR);
  operation.at_least({"n"}, batch.size.columns, 0);
  operation.at_least({"m"}, batch.size.rows, batch.size.columns);
  operation.at_least({"n"}, batch.size.columns, batch.rank);
  operation.rows({"m"}, batch.size.rows, {"lda"}, batch.a.leading);
  operation.at_least({"batchSize"}, batch.count, 0);
  needs_values_of_lapack(operation, batch.size);
  if (operation.failed()) return operation.result();
  operation.uses(work, workspace_size(batch.size.rows, batch.size.columns));
  for (int i = 0; i < batch.count; ++i) {
    operation.reads("A", batch.matrix(i), batch.size);
    add_parts(operation, batch.size, batch.parts_of(i));
  }
  operation.writes("d_info", infos, batch.count);
  const auto compute = [=] {
    for (int i = 0; i < batch.count; ++i) {
      const SingularParts<T> parts = batch.parts_of(i);
      const bool converged = find_parts<T>(batch.size, batch.matrix(i), parts);
      infos[i] = static_cast<int>(converged ? 0 : batch.rank + 1);
      if (norms != nullptr) norms[i] = remainder_norm<T>(batch.size, batch.matrix(i), parts);
    }
  };
  return operation.submit_work(compute, {norms != nullptr ? device_memory::Wait::yes : device_memory::Wait::no, {}});
}

SolverResult needs(SolverOperation& operation, const JacobiJob& job, const LeadingDimensions& leading, int* count) {
  check_job(operation, job, leading, 0);
  return operation.needs(count, workspace_size(job.size.rows, job.size.columns));
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

// clang-format off
#define WARPFIBER_CALL(call) return solver_operation(__func__, handle, [&](SolverOperation& operation) { return call; })

#define WARPFIBER_SINGULAR_VALUES(t, T, R)                                                                             \
  cusolverStatus_t cusolverDn##t##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* lwork) {              \
    return solver_operation(__func__, handle, [&](SolverOperation& operation) {                                        \
      operation.at_least({"n"}, n, 0);                                                                                   \
      operation.at_least({"m"}, m, n);                                                                                   \
      return operation.needs(lwork, workspace_size(m, n));                                                             \
    });                                                                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n,  \
                                        T* A, int lda, R* S, T* U, int ldu, T* VT, int ldvt, T* work, int lwork, R*,   \
                                        int* devInfo) {                                                                \
    WARPFIBER_CALL(gesvd(operation, jobu, jobvt, {m, n}, columns(A, lda), S, columns(U, ldu), columns(VT, ldvt),       \
                         workspace(work, lwork), devInfo));                                                            \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##gesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,       \
                                                    int m, int n, const T*, int lda, const R*, const T*, int ldu,    \
                                                    const T*, int ldv, int* lwork, gesvdjInfo_t) {                     \
    WARPFIBER_CALL(needs(operation, {jobz, econ != 0, {m, n}}, {lda, ldu, ldv}, lwork));                              \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n,    \
                                         T* A, int lda, R* S, T* U, int ldu, T* V, int ldv, T* work, int lwork,        \
                                         int* devInfo, gesvdjInfo_t params) {                                          \
    WARPFIBER_CALL(gesvdj<Number<T>>(operation, {jobz, econ != 0, {m, n}}, columns(A, lda),                            \
                                     {S, columns(U, ldu), 0, columns(V, ldv), 0, false, 0}, workspace(work, lwork),       \
                                     devInfo, params));                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##gesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m,   \
                                                           int n, const T*, int lda, const R*, const T*, int ldu,    \
                                                           const T*, int ldv, int* lwork, gesvdjInfo_t, int) {         \
    WARPFIBER_CALL(needs(operation, {jobz, false, {m, n}}, {lda, ldu, ldv}, lwork));                                  \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##gesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T* A, \
                                                int lda, R* S, T* U, int ldu, T* V, int ldv, T* work, int lwork,       \
                                                int* devInfo, gesvdjInfo_t params, int batchSize) {                    \
    WARPFIBER_CALL(gesvdj_batched<Number<T>>(operation, {jobz, false, {m, n}}, columns(A, lda),                        \
                                             {S, columns(U, ldu), 0, columns(V, ldv), 0, false, 0},                       \
                                             workspace(work, lwork), devInfo, params, batchSize));                     \
  }
#define WARPFIBER_RANKED(t, T, R)                                                                                      \
  cusolverStatus_t cusolverDn##t##gesvdaStridedBatched_bufferSize(                                                     \
      cusolverDnHandle_t handle, cusolverEigMode_t, int, int m, int n, const T*, int, long long int, const R*,         \
      long long int, const T*, int, long long int, const T*, int, long long int, int* lwork, int) {                    \
    WARPFIBER_CALL(operation.needs(lwork, workspace_size(m, n)));                                                      \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##gesvdaStridedBatched(                                                                \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T* A, int lda,                  \
      long long int strideA, R* S, long long int strideS, T* U, int ldu, long long int strideU, T* V, int ldv,         \
      long long int strideV, T* work, int lwork, int* d_info, double* h_R_nrmF, int batchSize) {                       \
    WARPFIBER_CALL(gesvda<Number<T>>(operation,                                                                        \
                                     {jobz, rank, {m, n}, batchSize, columns(A, lda),                                  \
                                      {S, columns(U, ldu), 0, columns(V, ldv), 0, false, 0},                           \
                                      {strideA, strideS, strideU, strideV}},                                           \
                                     workspace(work, lwork), d_info, h_R_nrmF));                                       \
  }
// clang-format on

WARPFIBER_SINGULAR_VALUES(S, float, float)
WARPFIBER_SINGULAR_VALUES(D, double, double)
WARPFIBER_SINGULAR_VALUES(C, float2, float)
WARPFIBER_SINGULAR_VALUES(Z, double2, double)
WARPFIBER_RANKED(S, float, float)
WARPFIBER_RANKED(D, double, double)
WARPFIBER_RANKED(C, float2, float)
WARPFIBER_RANKED(Z, double2, double)

}  // extern "C"
