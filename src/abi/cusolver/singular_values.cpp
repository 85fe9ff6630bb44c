// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's singular values of one type.
#include "abi/cusolver/singular_values.hpp"

#include <limits>

namespace warpfiber::abi {
namespace {

/// What functions by Jacobi's method are asked for.
struct JacobiJob {
  cusolverEigMode_t mode;
  bool economic;
  MatrixSize size;

  std::int64_t values() const { return std::min(size.rows, size.columns); }
  std::int64_t columns(std::int64_t all) const {
    if (mode == CUSOLVER_EIG_MODE_NOVECTOR) return 0;
    return economic ? values() : all;
  }
};

struct LeadingDimensions {
  std::int64_t a;
  std::int64_t u;
  std::int64_t v;
};

void check(SolverOperation& operation, const JacobiJob& job, const LeadingDimensions& leading) {
  operation.choose("mode", job.mode, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR);
  operation.at_least("n", job.size.columns, 0);
  operation.order("m", job.size.rows, "lda", leading.a);
  if (job.mode == CUSOLVER_EIG_MODE_NOVECTOR) return;
  operation.at_least("ldu", leading.u, std::max<std::int64_t>(1, job.size.rows));
  operation.at_least("ldv", leading.v, std::max<std::int64_t>(1, job.size.columns));
}

template <class T>
dense::JacobiLimits limits_of(const gesvdjInfo& parameters) {
  dense::JacobiLimits limits = parameters.limits;
  limits.tolerance = std::max(limits.tolerance, double(std::numeric_limits<Real<T>>::epsilon()));
  return limits;
}

template <class T>
SolverResult gesvdj(SolverOperation& operation, const JacobiJob& job, Columns<T> a, SingularParts<T> parts,
                    const Workspace<T>& work, int* info, gesvdjInfo_t parameters) {
  parts.columns_of_u = job.columns(job.size.rows);
  parts.columns_of_v = job.columns(job.size.columns);
  check(operation, job, {a.leading, parts.u.leading, parts.v.leading});
  operation.not_null("params", parameters);
  operation.uses(work, workspace_size(job.size.rows, job.size.columns));
  if (operation.failed()) return operation.result();
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
  parts.columns_of_u = job.columns(job.size.rows);
  parts.columns_of_v = job.columns(job.size.columns);
  check(operation, job, {a.leading, parts.u.leading, parts.v.leading});
  operation.not_null("params", parameters);
  operation.at_least("batchSize", count, 0);
  operation.uses(work, workspace_size(job.size.rows, job.size.columns));
  if (operation.failed()) return operation.result();
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

SolverResult needs(SolverOperation& operation, const JacobiJob& job, const LeadingDimensions& leading, int* count) {
  check(operation, job, leading);
  return operation.needs(count, workspace_size(job.size.rows, job.size.columns));
}

}  // namespace
}  // namespace warpfiber::abi

using namespace warpfiber::abi;

extern "C" {

// clang-format off
#define WARPFIBER_CALL(call) return solver_operation(__func__, handle, [&](SolverOperation& operation) { return call; })

#define WARPFIBER_SINGULAR_VALUES(t, T, R)                                                                             \
  cusolverStatus_t cusolverDn##t##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* lwork) {              \
    return solver_operation(__func__, handle, [&](SolverOperation& operation) {                                        \
      operation.at_least("n", n, 0);                                                                                   \
      operation.at_least("m", m, n);                                                                                   \
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
                                     {S, columns(U, ldu), 0, columns(V, ldv), 0, false}, workspace(work, lwork),       \
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
                                             {S, columns(U, ldu), 0, columns(V, ldv), 0, false},                       \
                                             workspace(work, lwork), devInfo, params, batchSize));                     \
  }
// clang-format on

WARPFIBER_SINGULAR_VALUES(S, float, float)
WARPFIBER_SINGULAR_VALUES(D, double, double)
WARPFIBER_SINGULAR_VALUES(C, float2, float)
WARPFIBER_SINGULAR_VALUES(Z, double2, double)

}  // extern "C"
