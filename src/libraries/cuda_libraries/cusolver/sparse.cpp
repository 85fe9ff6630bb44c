// SPDX-License-Identifier: Apache-2.0
// cuSOLVER for sparse matrices: handles, solutions of systems whose matrices are stored by rows, also of batches of
// them that share a pattern, and eigenvalues near a number.
#include <warpfiber/cuda/cusolver/sparse_api.h>

#include <algorithm>
#include <complex>
#include <numeric>

#include "cuda_libraries/cusolver/factors_info.hpp"
#include "cuda_libraries/cusolver/sparse_operation.hpp"
#include "cuda_libraries/cusparse/descriptors.hpp"
#include "cuda_libraries/library_object.hpp"
#include "numerics/sparse/orderings.hpp"
#include "record/reason.hpp"

namespace warpfiber::cuda_libraries {

using numerics::EntryRow;
using numerics::EntryVector;
using numerics::WideNumber;

namespace {

using numerics::SparseSystem;

/// What a system is solved by: a function of elimination.hpp.
using Solve = std::int64_t (*)(SparseSystem&, double);

/// A system as the program has it.
struct CsrSystem {
  CsrMatrix matrix;
  NumberArray b;
  double tolerance;
  int reorder;
  NumberArray x;
  int* singularity;
};

/// Row i of the result is row order[i], whose columns are numbered likewise.
std::vector<EntryRow> reordered(const std::vector<EntryRow>& rows, const numerics::RowOrder& order) {
  numerics::RowOrder position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<std::int64_t>(i);
  std::vector<EntryRow> result(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [column, value] : rows[order[i]]) result[i].emplace_back(position[column], value);
    std::ranges::sort(result[i], {}, &EntryRow::value_type::first);
  }
  return result;
}

numerics::RowOrder order_of(const std::vector<EntryRow>& rows, int reorder) {
  numerics::RowOrder order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  if (reorder == 0) return order;
  const numerics::RowNeighbours neighbours = numerics::neighbours_of(rows);
  switch (reorder) {
    case 2: return numerics::minimum_degree(neighbours);
    case 3: return numerics::nested_dissection(neighbours);
    default: return numerics::reverse_cuthill_mckee(neighbours);
  }
}

record::Reason solve_system(const CsrSystem& of, Solve solve) {
  SparseSystem system;
  if (!of.matrix.read(system.rows)) return ReasonKind::solver_index_outside;
  const numerics::RowOrder order = order_of(system.rows, of.reorder);
  const EntryVector b = of.b.read(of.matrix.rows);
  system.rows = reordered(system.rows, order);
  for (const std::int64_t row : order) system.b.push_back(b[row]);
  *of.singularity = static_cast<int>(solve(system, of.tolerance));
  if (*of.singularity >= 0) return {};
  EntryVector x(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) x[order[i]] = system.b[i];
  of.x.write(x);
  return {};
}

SolverResult submit_system(SparseSolverCall& operation, const CsrSystem& system, Solve solve) {
  operation.not_null("singularity", system.singularity);
  operation.reads(system.matrix);
  operation.reads("b", system.b, system.matrix.rows);
  operation.writes("x", system.x, system.matrix.rows);
  return operation.submit([&]() -> SolverReason { return solve_system(system, solve); });
}

/// An eigenvalue that is looked for near `guess`.
struct EigenvalueRequest {
  CsrMatrix matrix;
  WideNumber guess;
  NumberArray start;
  int iterations;
  double tolerance;
  NumberArray value;
  NumberArray vector;
};

SolverResult submit_eigenvalue(SparseSolverCall& operation, const EigenvalueRequest& request) {
  const std::int64_t n = request.matrix.rows;
  operation.at_least("maxite", request.iterations, 0);
  operation.reads(request.matrix);
  operation.reads("x0", request.start, n);
  operation.writes("mu", request.value, 1);
  operation.writes("x", request.vector, n);
  return operation.submit([&]() -> SolverReason {
    std::vector<EntryRow> rows;
    if (!request.matrix.read(rows)) return ReasonKind::solver_index_outside;
    numerics::EigenPair pair{request.guess, request.start.read(n)};
    numerics::iterate_inverse(rows, pair, request.iterations, request.tolerance);
    request.value.write({pair.value});
    request.vector.write(pair.vector);
    return {};
  });
}

/// Systems of m rows and n columns that share a pattern: entry k of all comes nnz entries before that of the next.
SolverResult submit_batch(SparseSolverCall& operation, const CsrMatrix& first, const NumberArray& b,
                          const NumberArray& x, int batch) {
  const std::int64_t m = first.rows, n = first.columns;
  const auto matrix_bytes = static_cast<std::int64_t>(numerics::bytes_of(first.values.kind)) * first.entries;
  operation.at_least("batchSize", batch, 0);
  operation.at_least("m", m, n);
  operation.reads(first);
  operation.reads("csrVal", first.values, first.entries * batch);
  operation.reads("b", b, m * batch);
  operation.writes("x", x, n * batch);
  return operation.submit([&]() -> SolverReason {
    const EntryVector sides = b.read(m * batch);
    EntryVector solutions;
    for (std::int64_t i = 0; i < batch; ++i) {
      CsrMatrix matrix = first;
      matrix.values.at = static_cast<const std::byte*>(first.values.at) + i * matrix_bytes;
      std::vector<EntryRow> rows;
      if (!matrix.read(rows)) return ReasonKind::solver_index_outside;
      const numerics::RotationFactors factors(std::move(rows), n);
      const EntryVector solution = factors.solve({sides.begin() + i * m, sides.begin() + (i + 1) * m});
      solutions.insert(solutions.end(), solution.begin(), solution.end());
    }
    x.write(solutions);
    return {};
  });
}

template <class T>
WideNumber wide(T value) {
  return numerics::value_at<WideNumber>(kKindOf<T>, &value, 0);
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle) {
  return library_call<cusolverStatus_t>(__func__, [&] { return create_object<cusolverStatus_t>(handle); });
}
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle) {
  return sparse_solver_call(__func__, handle, ArrayHome::host,
                            [=](SparseSolverCall&) { return destroy_object<cusolverStatus_t>(handle); });
}
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream) {
  return sparse_solver_call(__func__, handle, ArrayHome::host, [=](SparseSolverCall&) -> SolverResult {
    handle->stream = stream;
    return {};
  });
}
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* stream) {
  return sparse_solver_call(__func__, handle, ArrayHome::host,
                            [=](SparseSolverCall&) { return put_result<cusolverStatus_t>(stream, handle->stream); });
}

cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t* info) {
  return library_call<cusolverStatus_t>(__func__, [&] { return create_object<cusolverStatus_t>(info); });
}
cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t info) {
  return library_call<cusolverStatus_t>(__func__, [&] { return destroy_object<cusolverStatus_t>(info); });
}
cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                                 const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                                 const int* csrColIndA, csrqrInfo_t info) {
  return cusolverSpXcsrqrAnalysis(handle, m, n, nnzA, descrA, csrRowPtrA, csrColIndA, info);
}

#define WARPFIBER_SPARSE_SOLVE(function, T, R, home, solve)                                                         \
  cusolverStatus_t cusolverSp##function(cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, \
                                        const T* csrVal, const int* csrRowPtr, const int* csrColInd, const T* b,    \
                                        R tol, int reorder, T* x, int* singularity) {                               \
    return sparse_solver_call(__func__, handle, ArrayHome::home, [=](SparseSolverCall& operation) {                 \
      return submit_system(operation,                                                                               \
                           {{m, m, nnz, descrA, csrRowPtr, csrColInd, number_array(csrVal)},                        \
                            number_array(b),                                                                        \
                            tol,                                                                                    \
                            reorder,                                                                                \
                            number_array(x),                                                                        \
                            singularity},                                                                           \
                           warpfiber::numerics::solve);                                                             \
    });                                                                                                             \
  }
#define WARPFIBER_SPARSE_EIGENVALUE(function, T, R, home)                                                           \
  cusolverStatus_t cusolverSp##function(cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, \
                                        const T* csrVal, const int* csrRowPtr, const int* csrColInd, T mu0,         \
                                        const T* x0, int maxite, R tol, T* mu, T* x) {                              \
    return sparse_solver_call(__func__, handle, ArrayHome::home, [=](SparseSolverCall& operation) {                 \
      return submit_eigenvalue(operation, {{m, m, nnz, descrA, csrRowPtr, csrColInd, number_array(csrVal)},         \
                                           wide(mu0),                                                               \
                                           number_array(x0),                                                        \
                                           maxite,                                                                  \
                                           tol,                                                                     \
                                           number_array(mu),                                                        \
                                           number_array(x)});                                                       \
    });                                                                                                             \
  }
#define WARPFIBER_SPARSE_BATCH(t, T)                                                                                   \
  cusolverStatus_t cusolverSp##t##csrqrBufferInfoBatched(                                                              \
      cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA, const T* csrVal,              \
      const int* csrRowPtr, const int* csrColInd, int batchSize, csrqrInfo_t info, size_t* internalDataInBytes,        \
      size_t* workspaceInBytes) {                                                                                      \
    return sparse_solver_call(__func__, handle, ArrayHome::device, [=](SparseSolverCall& operation) {                  \
      operation.at_least("batchSize", batchSize, 0);                                                                   \
      return put_factor_sizes(operation, info, {m, n, nnz, descrA, csrRowPtr, csrColInd, number_array(csrVal)},        \
                              internalDataInBytes, workspaceInBytes);                                                  \
    });                                                                                                                \
  }                                                                                                                    \
  cusolverStatus_t cusolverSp##t##csrqrsvBatched(                                                                      \
      cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA, const T* csrVal,              \
      const int* csrRowPtr, const int* csrColInd, const T* b, T* x, int batchSize, csrqrInfo_t info, void*) {          \
    return sparse_solver_call(__func__, handle, ArrayHome::device, [=](SparseSolverCall& operation) {                  \
      needs_analysis(operation, info);                                                                                 \
      return submit_batch(operation, {m, n, nnz, descrA, csrRowPtr, csrColInd, number_array(csrVal)}, number_array(b), \
                          number_array(x), batchSize);                                                                 \
    });                                                                                                                \
  }
#define WARPFIBER_SPARSE(t, T, R)                                                \
  WARPFIBER_SPARSE_SOLVE(t##csrlsvqr, T, R, device, solve_by_rotations)          \
  WARPFIBER_SPARSE_SOLVE(t##csrlsvchol, T, R, device, solve_positive_definite)   \
  WARPFIBER_SPARSE_SOLVE(t##csrlsvqrHost, T, R, host, solve_by_rotations)        \
  WARPFIBER_SPARSE_SOLVE(t##csrlsvcholHost, T, R, host, solve_positive_definite) \
  WARPFIBER_SPARSE_SOLVE(t##csrlsvluHost, T, R, host, solve_by_lu)               \
  WARPFIBER_SPARSE_EIGENVALUE(t##csreigvsi, T, R, device)                        \
  WARPFIBER_SPARSE_EIGENVALUE(t##csreigvsiHost, T, R, host)                      \
  WARPFIBER_SPARSE_BATCH(t, T)

WARPFIBER_SPARSE(S, float, float)
WARPFIBER_SPARSE(D, double, double)
WARPFIBER_SPARSE(C, float2, float)
WARPFIBER_SPARSE(Z, double2, double)

}  // extern "C"
