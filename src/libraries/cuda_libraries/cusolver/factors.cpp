// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's factors of one type: Cholesky's, L and U, Q and R, and what is computed with them.
#include "cuda_libraries/cusolver/factors.hpp"

#include "record/reason.hpp"

namespace warpfiber::cuda_libraries {
namespace {

/// `count` matrices of which memory of the device holds the addresses.
template <class T>
struct MatrixArray {
  T* const* at;
  std::int64_t leading;
  int count;

  Columns<T> matrix(int number) const { return {at[number], leading}; }
};

template <class T>
MatrixArray<Number<T>> matrix_array(T* const* at, std::int64_t leading, int count) {
  return {reinterpret_cast<Number<T>* const*>(at), leading, count};
}

template <class T>
void add_addresses(SolverOperation& operation, const char* name, const MatrixArray<T>& matrices) {
  operation.at_least({"batchSize"}, matrices.count, 1);
  if (!operation.failed()) operation.reads(name, matrices.at, matrices.count);
}

template <class T>
SolverResult potrf_batched(SolverOperation& operation, cublasFillMode_t part, std::int64_t n, const MatrixArray<T>& a,
                           int* infos) {
  operation.fill_mode(part, 0);
  operation.rows({"n"}, n, {"lda"}, a.leading);
  add_addresses(operation, "Aarray", a);
  operation.needs_lapack({});
  if (operation.failed()) return operation.result();
  operation.writes("infoArray", infos, a.count);
  device_memory::LibraryCall call;
  call.further = [=] {
    CublasOperation memory;
    for (int i = 0; i < a.count; ++i) {
      for (const bool writes : {false, true}) memory.triangle("A", writes, a.at[i], n, a.leading, {is_upper(part)});
    }
    return memory.take_accesses();
  };
  const auto work = [=] {
    for (int i = 0; i < a.count; ++i) {
      infos[i] = static_cast<int>(dense::factor_cholesky(n, a.matrix(i), is_upper(part)));
    }
  };
  return operation.submit_work(work, call);
}

template <class T>
SolverResult potrs_batched(SolverOperation& operation, cublasFillMode_t part, MatrixSize size, const MatrixArray<T>& a,
                           const MatrixArray<T>& b, int* info) {
  operation.fill_mode(part, 0);
  operation.rows({"n"}, size.rows, {"lda"}, a.leading);
  operation.at_least({"nrhs"}, size.columns, 0);
  operation.rows({"n"}, size.rows, {"ldb"}, b.leading);
  add_addresses(operation, "A", a);
  add_addresses(operation, "B", b);
  constexpr int kPositive = -3;  // devInfo is 3 then, above zero
  if (size.columns > 1) operation.refuse({"nrhs", kPositive}, record::stated("nrhs has to be 1"));
  operation.needs_lapack({});
  if (operation.failed()) return operation.refused(info);
  operation.writes("d_info", info, 1);
  device_memory::LibraryCall call;
  call.further = [=] {
    CublasOperation memory;
    for (int i = 0; i < a.count; ++i) {
      memory.triangle("A", false, a.at[i], size.rows, a.leading, {is_upper(part)});
      for (const bool writes : {false, true}) memory.matrix("B", writes, b.at[i], sizeof(T), size, b.leading);
    }
    return memory.take_accesses();
  };
  const auto work = [=] {
    for (int i = 0; i < a.count; ++i) {
      dense::solve_cholesky<T>(size, {a.at[i], a.leading}, is_upper(part), b.matrix(i));
    }
    *info = 0;
  };
  return operation.submit_work(work, call);
}

/// A bufferSize function looks at no size, as on a device.
SolverResult square_needs(SolverOperation& operation, cublasFillMode_t part, int n, int* count) {
  operation.fill_mode(part, 1);
  return operation.needs(count, workspace_size(n, n));
}

SolverResult needs(SolverOperation& operation, int m, int n, int* count) {
  return operation.needs(count, workspace_size(m, n));
}

template <class T>
SolverResult orgqr(SolverOperation& operation, MatrixSize size, int k, Columns<T> a, const T* tau,
                   const Workspace<T>& work, int* info) {
  operation.at_least({"m", 1}, size.rows, 0);
  operation.at_least({"n", 2}, size.columns, 0);
  if (size.columns > size.rows)
    operation.refuse({"n", 2}, {ReasonKind::blas_value_too_small, "m", size.rows, size.columns});
  operation.at_least({"k", 3}, k, 0);
  if (k > size.columns) operation.refuse({"k", 3}, {ReasonKind::blas_value_too_small, "n", size.columns, k});
  operation.rows({"m", 1}, size.rows, {"lda", 5}, a.leading);
  operation.needs_lapack({});
  if (operation.failed()) return operation.refused(info);
  operation.uses(work, workspace_size(size.rows, size.columns));
  operation.reads("A", a, {size.rows, k});
  operation.reads("tau", tau, k);
  operation.writes("A", a, size);
  return operation.submit(info, [=] {
    dense::make_q(size, k, a, tau);
    return 0;
  });
}

/// op(Q) * C or C * op(Q).
template <class T>
struct QProduct {
  cublasSideMode_t side;
  cublasOperation_t trans;
  MatrixSize size;
  std::int64_t k;
  Columns<const T> a;
  const T* tau;
  Columns<T> c;

  bool from_left() const { return side == CUBLAS_SIDE_LEFT; }
  std::int64_t order() const { return from_left() ? size.rows : size.columns; }
};

template <class T>
void check(SolverOperation& operation, const QProduct<T>& what) {
  operation.choose({"side", 1}, what.side, CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT);
  const cublasOperation_t adjoint = dense::IsComplex<T>::value ? CUBLAS_OP_C : CUBLAS_OP_T;
  if (what.trans != CUBLAS_OP_N) operation.choose({"operation of this type", 2}, what.trans, adjoint, adjoint);
  operation.at_least({"m", 3}, what.size.rows, 0);
  operation.at_least({"n", 4}, what.size.columns, 0);
  operation.at_least({"k", 5}, what.k, 0);
  if (what.k > what.order())
    operation.refuse({"k", 5}, {ReasonKind::blas_value_too_small, what.from_left() ? "m" : "n", what.order(), what.k});
  operation.at_least({"lda", 7}, what.a.leading, std::max<std::int64_t>(1, what.order()));
  operation.at_least({"ldc", 10}, what.c.leading, std::max<std::int64_t>(1, what.size.rows));
}

template <class T>
SolverResult ormqr(SolverOperation& operation, const QProduct<T>& what, const Workspace<T>& work, int* info) {
  check(operation, what);
  operation.needs_lapack({});
  if (operation.failed()) return operation.refused(info);
  operation.uses(work, workspace_size(what.size.rows, what.size.columns));
  operation.reads("A", what.a, {what.order(), what.k});
  operation.reads("tau", what.tau, what.k);
  operation.changes("C", what.c, what.size);
  return operation.submit(info, [=] {
    dense::multiply_by_q<T>({what.a, what.tau, what.k}, what.from_left(), what.trans != CUBLAS_OP_N, what.size, what.c);
    return 0;
  });
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

// clang-format off
#define WARPFIBER_CALL(call) return solver_operation(__func__, handle, [&](SolverOperation& operation) { return call; })

#define WARPFIBER_FACTORS(t, T)                                                                                        \
  cusolverStatus_t cusolverDn##t##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T*,        \
                                                   int, int* Lwork) {                                              \
    WARPFIBER_CALL(square_needs(operation, uplo, n, Lwork));                                                      \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda,        \
                                        T* Workspace, int Lwork, int* devInfo) {                                       \
    WARPFIBER_CALL(potrf(operation, uplo, n, columns(A, lda), workspace(Workspace, Lwork), devInfo));                  \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const T* A, \
                                        int lda, T* B, int ldb, int* devInfo) {                                        \
    WARPFIBER_CALL(potrs(operation, uplo, {n, nrhs}, columns(A, lda), columns(B, ldb), devInfo));                      \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* Aarray[],   \
                                               int lda, int* infoArray, int batchSize) {                               \
    WARPFIBER_CALL(potrf_batched(operation, uplo, n, matrix_array(Aarray, lda, batchSize), infoArray));                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,      \
                                               T* A[], int lda, T* B[], int ldb, int* d_info, int batchSize) {         \
    WARPFIBER_CALL(potrs_batched(operation, uplo, {n, nrhs}, matrix_array(A, lda, batchSize),                          \
                                 matrix_array(B, ldb, batchSize), d_info));                                            \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##potri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T*,        \
                                                   int, int* lwork) {                                              \
    WARPFIBER_CALL(square_needs(operation, uplo, n, lwork));                                                      \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda,        \
                                        T* work, int lwork, int* devInfo) {                                            \
    WARPFIBER_CALL(potri(operation, uplo, n, columns(A, lda), workspace(work, lwork), devInfo));                       \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T*, int, int* Lwork) { \
    WARPFIBER_CALL(needs(operation, m, n, Lwork));                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##getrf(cusolverDnHandle_t handle, int m, int n, T* A, int lda, T* Workspace,          \
                                        int* devIpiv, int* devInfo) {                                                  \
    WARPFIBER_CALL(getrf(operation, {m, n}, columns(A, lda), workspace(Workspace, workspace_size(m, n)), devIpiv,      \
                         devInfo));                                                                                    \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,           \
                                        const T* A, int lda, const int* devIpiv, T* B, int ldb, int* devInfo) {        \
    WARPFIBER_CALL(getrs(operation, trans, {n, nrhs}, columns(A, lda), devIpiv, columns(B, ldb), devInfo));            \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T*, int, int* lwork) { \
    WARPFIBER_CALL(needs(operation, m, n, lwork));                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##geqrf(cusolverDnHandle_t handle, int m, int n, T* A, int lda, T* TAU, T* Workspace,  \
                                        int Lwork, int* devInfo) {                                                     \
    WARPFIBER_CALL(geqrf(operation, {m, n}, columns(A, lda), numbers(TAU), workspace(Workspace, Lwork), devInfo));     \
  }

#define WARPFIBER_Q(t, T, gqr, mqr)                                                                                    \
  cusolverStatus_t cusolverDn##t##gqr##_bufferSize(cusolverDnHandle_t handle, int m, int n, int, const T*, int,    \
                                                   const T*, int* lwork) {                                             \
    WARPFIBER_CALL(needs(operation, m, n, lwork));                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##gqr(cusolverDnHandle_t handle, int m, int n, int k, T* A, int lda, const T* tau,     \
                                      T* work, int lwork, int* devInfo) {                                              \
    WARPFIBER_CALL(orgqr(operation, {m, n}, k, columns(A, lda), numbers(tau), workspace(work, lwork), devInfo));       \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##mqr##_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t, cublasOperation_t,     \
                                                   int m, int n, int, const T*, int, const T*, const T*, int,      \
                                                   int* lwork) {                                                       \
    WARPFIBER_CALL(needs(operation, m, n, lwork));                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##t##mqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,       \
                                      int m, int n, int k, const T* A, int lda, const T* tau, T* C, int ldc, T* work,  \
                                      int lwork, int* devInfo) {                                                       \
    WARPFIBER_CALL(ormqr<Number<T>>(operation, {side, trans, {m, n}, k, columns(A, lda), numbers(tau), columns(C, ldc)},\
                                    workspace(work, lwork), devInfo));                                                 \
  }
// clang-format on

WARPFIBER_FACTORS(S, float)
WARPFIBER_FACTORS(D, double)
WARPFIBER_FACTORS(C, float2)
WARPFIBER_FACTORS(Z, double2)
WARPFIBER_Q(S, float, orgqr, ormqr)
WARPFIBER_Q(D, double, orgqr, ormqr)
WARPFIBER_Q(C, float2, ungqr, unmqr)
WARPFIBER_Q(Z, double2, ungqr, unmqr)

}  // extern "C"
