// SPDX-License-Identifier: Apache-2.0
// cuSOLVER for sparse matrices: handles, and solutions of systems whose matrices are stored by rows.
#include <warpfiber/cuda/cusolver/sparse_api.h>

#include <algorithm>
#include <complex>
#include <memory>

#include "cuda_libraries/cusolver/operation.hpp"
#include "cuda_libraries/cusparse/descriptors.hpp"
#include "numerics/sparse/elimination.hpp"
#include "record/reason.hpp"

struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};

namespace warpfiber::cuda_libraries {
namespace {

/// Calls `use` if there is a handle.
template <class Use>
cusolverStatus_t with_handle(const char* function, cusolverSpHandle_t handle, Use use,
                             const void* returns_to = __builtin_return_address(0)) {
  return library_call<cusolverStatus_t>(
      function,
      [&]() -> SolverResult {
        if (handle == nullptr) return {CUSOLVER_STATUS_NOT_INITIALIZED, ReasonKind::pointer_null};
        return use();
      },
      returns_to);
}

/// A system as the program has it, in the device's memory or in the host's.
template <class T>
struct CsrSystem {
  std::int64_t m, nnz;
  const cusparseMatDescr* descriptor;
  const T* values;
  const int* offsets;
  const int* columns;
  const T* b;
  double tolerance;
  T* x;
  int* singularity;

  /// The entries in order; false if an index is outside of the matrix.
  bool read(numerics::SparseSystem& system) const {
    const int base = descriptor->base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0;
    for (std::int64_t i = 0; i < m; ++i) {
      if (offsets[i] < base || offsets[i + 1] < offsets[i] || offsets[i + 1] - base > nnz) return false;
      numerics::EntryRow row;
      for (int at = offsets[i] - base; at < offsets[i + 1] - base; ++at) {
        const std::int64_t column = columns[at] - base;
        if (column < 0 || column >= m) return false;
        row.emplace_back(column, values[at]);
      }
      std::ranges::sort(row, {}, &numerics::EntryRow::value_type::first);
      system.rows.push_back(std::move(row));
      system.b.emplace_back(b[i]);
    }
    return true;
  }
  /// Writes the solution if there is one.
  template <class Solve>
  bool solve(Solve solve_system) const {
    numerics::SparseSystem system;
    if (!read(system)) return false;
    const std::int64_t row = solve_system(system, tolerance);
    *singularity = static_cast<int>(row);
    for (std::int64_t i = 0; row < 0 && i < m; ++i) {
      if constexpr (dense::IsComplex<T>::value) {
        x[i] = T(system.b[i]);
      } else {
        x[i] = static_cast<T>(system.b[i].real());
      }
    }
    return true;
  }
};

template <class T>
SolverResult check_system(const CsrSystem<T>& system) {
  const auto wrong = [](const char* name, std::int64_t value) -> SolverResult {
    return {CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::blas_value_too_small, name, value, 0}};
  };
  if (system.m < 0) return wrong("m", system.m);
  if (system.nnz < 0) return wrong("nnz", system.nnz);
  if (system.descriptor == nullptr) return {CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::end_null, "descrA"}};
  if (system.singularity == nullptr) return {CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::end_null, "singularity"}};
  return {};
}

/// The host waits for the solution, as it gets `singularity`.
template <class T, class Solve>
SolverResult solve_on_device(cusolverSpHandle_t handle, const CsrSystem<T>& system, Solve solve) {
  cusolverDnContext context{handle->stream};
  SolverOperation operation(&context);
  operation.reads("csrRowPtr", system.offsets, system.m + 1);
  operation.reads("csrColInd", system.columns, system.nnz);
  operation.reads("csrVal", system.values, system.nnz);
  operation.reads("b", system.b, system.m);
  operation.writes("x", system.x, system.m);
  bool read = true;
  const SolverResult done = operation.submit_work([&] { read = system.solve(solve); }, {device_memory::Wait::yes, {}});
  if (done.failed() || read) return done;
  return {CUSOLVER_STATUS_INVALID_VALUE, record::stated("index outside the matrix")};
}

template <class T, class Solve>
SolverResult solve_on_host(const CsrSystem<T>& system, Solve solve) {
  if (system.solve(solve)) return {};
  return {CUSOLVER_STATUS_INVALID_VALUE, record::stated("index outside the matrix")};
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle) {
  return library_call<cusolverStatus_t>(__func__, [&]() -> SolverResult {
    if (handle == nullptr) return {CUSOLVER_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null};
    *handle = std::make_unique<cusolverSpContext>().release();
    return {};
  });
}
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle) {
  return with_handle(__func__, handle, [=]() -> SolverResult {
    const std::unique_ptr<cusolverSpContext> ended(handle);
    return {};
  });
}
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream) {
  return with_handle(__func__, handle, [=]() -> SolverResult {
    handle->stream = stream;
    return {};
  });
}
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* stream) {
  return with_handle(__func__, handle, [=]() -> SolverResult {
    if (stream == nullptr) return {CUSOLVER_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null};
    *stream = handle->stream;
    return {};
  });
}

// clang-format off
#define WARPFIBER_SPARSE_SOLVE(function, T, R, solve)                                                                  \
  cusolverStatus_t cusolverSp##function(cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,    \
                                        const T* csrVal, const int* csrRowPtr, const int* csrColInd, const T* b,       \
                                        R tol, int, T* x, int* singularity) {                                          \
    return with_handle(__func__, handle, [=]() -> SolverResult {                                                       \
      const CsrSystem<Number<T>> system{m, nnz, descrA, numbers(csrVal), csrRowPtr, csrColInd, numbers(b), tol,        \
                                        numbers(x), singularity};                                                      \
      const SolverResult wrong = check_system(system);                                                                 \
      return wrong.failed() ? wrong : solve;                                                                           \
    });                                                                                                                \
  }
#define WARPFIBER_SPARSE(t, T, R)                                                                                      \
  WARPFIBER_SPARSE_SOLVE(t##csrlsvqr, T, R, solve_on_device(handle, system, warpfiber::numerics::solve_by_rotations))  \
  WARPFIBER_SPARSE_SOLVE(t##csrlsvchol, T, R,                                                                          \
                         solve_on_device(handle, system, warpfiber::numerics::solve_positive_definite))                \
  WARPFIBER_SPARSE_SOLVE(t##csrlsvqrHost, T, R, solve_on_host(system, warpfiber::numerics::solve_by_rotations))        \
  WARPFIBER_SPARSE_SOLVE(t##csrlsvcholHost, T, R, solve_on_host(system, warpfiber::numerics::solve_positive_definite)) \
  WARPFIBER_SPARSE_SOLVE(t##csrlsvluHost, T, R, solve_on_host(system, warpfiber::numerics::solve_by_rotations))
// clang-format on

WARPFIBER_SPARSE(S, float, float)
WARPFIBER_SPARSE(D, double, double)
WARPFIBER_SPARSE(C, float2, float)
WARPFIBER_SPARSE(Z, double2, double)

}  // extern "C"
