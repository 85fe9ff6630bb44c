// SPDX-License-Identifier: Apache-2.0
// Handles of cuSOLVER, what Jacobi's methods are set to, names of statuses, and how calls end without LAPACK.
#include "cuda_libraries/cusolver/operation.hpp"
#include "cuda_libraries/library_object.hpp"
#include "dense/lapack.hpp"

namespace warpfiber::cuda_libraries {
namespace {

/// Calls `use` with the object if there is one.
template <class Object, class Use>
SolverResult with(Object* object, Use use) {
  if (object == nullptr) return {CUSOLVER_STATUS_NOT_INITIALIZED, ReasonKind::pointer_null};
  return use(*object);
}

template <class Work>
cusolverStatus_t call(const char* function, Work&& work, const void* returns_to = __builtin_return_address(0)) {
  return library_call<cusolverStatus_t>(function, work, returns_to);
}

/// Changes what Jacobi's methods are set to.
template <class Info, class Change>
cusolverStatus_t set(const char* function, Info* info, Change change,
                     const void* returns_to = __builtin_return_address(0)) {
  return call(
      function,
      [&] {
        return with(info, [&](Info& of) {
          change(of.limits);
          return SolverResult{};
        });
      },
      returns_to);
}

/// What the last call with `info` has done, which is over then.
template <class Info, class Value>
cusolverStatus_t get_outcome(const char* function, cusolverDnHandle_t handle, Info* info, Value* place,
                             Value dense::JacobiOutcome::*member,
                             const void* returns_to = __builtin_return_address(0)) {
  return solver_operation(
      function, handle,
      [&](SolverOperation& operation) {
        if (operation.failed()) return operation.result();
        const SolverResult waited = operation.submit_work([] {}, {device_memory::Wait::yes, {}});
        if (waited.failed()) return waited;
        return with(info, [=](Info& of) { return put_result<cusolverStatus_t>(place, (*of.outcome).*member); });
      },
      returns_to);
}

record::Reason reason_of(dense::MissingLapack missing) {
  using dense::MissingLapack;
  switch (missing) {
    case MissingLapack::nothing: return {};
    case MissingLapack::name: return ReasonKind::lapack_not_built;
    case MissingLapack::file: return {ReasonKind::lapack_not_loaded, dense::blas_library_name()};
    case MissingLapack::address_space: return {ReasonKind::lapack_without_space, dense::blas_library_name()};
    case MissingLapack::functions: return {ReasonKind::lapack_incomplete, dense::blas_library_name()};
  }
  return {};
}

}  // namespace

void SolverOperation::needs_lapack(std::initializer_list<NamedSize> sizes, std::int64_t most) {
  if (failed()) return;
  if (const record::Reason why = reason_of(dense::missing_lapack()); !why.empty()) {
    return fail(CUSOLVER_STATUS_NOT_SUPPORTED, why);
  }
  for (const NamedSize& size : sizes) {
    if (size.value > most) {
      fail(CUSOLVER_STATUS_NOT_SUPPORTED, {ReasonKind::blas_value_too_large, size.name, size.value, most});
    }
  }
}

const char* CusolverStatuses::name(cusolverStatus_t status) {
  switch (status) {
    case CUSOLVER_STATUS_SUCCESS: return "CUSOLVER_STATUS_SUCCESS";
    case CUSOLVER_STATUS_NOT_INITIALIZED: return "CUSOLVER_STATUS_NOT_INITIALIZED";
    case CUSOLVER_STATUS_ALLOC_FAILED: return "CUSOLVER_STATUS_ALLOC_FAILED";
    case CUSOLVER_STATUS_INVALID_VALUE: return "CUSOLVER_STATUS_INVALID_VALUE";
    case CUSOLVER_STATUS_EXECUTION_FAILED: return "CUSOLVER_STATUS_EXECUTION_FAILED";
    case CUSOLVER_STATUS_INTERNAL_ERROR: return "CUSOLVER_STATUS_INTERNAL_ERROR";
    case CUSOLVER_STATUS_NOT_SUPPORTED: return "CUSOLVER_STATUS_NOT_SUPPORTED";
    case CUSOLVER_STATUS_ZERO_PIVOT: return "CUSOLVER_STATUS_ZERO_PIVOT";
    default: return "CUSOLVER_STATUS_UNKNOWN";
  }
}

}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cusolverStatus_t cusolverGetVersion(int* version) {
  return call(__func__, [&] { return put_result<cusolverStatus_t>(version, CUSOLVER_VERSION); });
}
cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value) {
  return call(__func__, [&]() -> SolverResult {
    constexpr int kParts[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
    if (type < 0 || type > 2) {
      return {CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::blas_choice_unknown, "property", static_cast<int>(type)}};
    }
    return put_result<cusolverStatus_t>(value, kParts[type]);
  });
}
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  return call(__func__, [&] { return create_object<cusolverStatus_t>(handle); });
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    if (!operation.failed()) destroy_object<cusolverStatus_t>(handle);
    return operation.result();
  });
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    if (!operation.failed()) handle->stream = stream;
    return operation.result();
  });
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return operation.failed() ? operation.result() : put_result<cusolverStatus_t>(stream, handle->stream);
  });
}
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t mode) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    operation.choose({"mode"}, mode, CUSOLVER_DETERMINISTIC_RESULTS, CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
    if (!operation.failed()) handle->mode = mode;
    return operation.result();
  });
}
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t* mode) {
  return solver_operation(__func__, handle, [&](SolverOperation& operation) {
    return operation.failed() ? operation.result() : put_result<cusolverStatus_t>(mode, handle->mode);
  });
}

cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* info) {
  return call(__func__, [&] { return create_object<cusolverStatus_t>(info); });
}
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info) {
  return call(__func__, [&] { return destroy_object<cusolverStatus_t>(info); });
}
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance) {
  return set(__func__, info, [=](auto& limits) { limits.tolerance = tolerance; });
}
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int max_sweeps) {
  return set(__func__, info, [=](auto& limits) { limits.sweeps = max_sweeps; });
}
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort_eig) {
  return set(__func__, info, [=](auto& limits) { limits.sorted = sort_eig != 0; });
}
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t info, double* residual) {
  return get_outcome(__func__, handle, info, residual, &warpfiber::dense::JacobiOutcome::residual);
}
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t info, int* executed_sweeps) {
  return get_outcome(__func__, handle, info, executed_sweeps, &warpfiber::dense::JacobiOutcome::sweeps);
}
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info) {
  return call(__func__, [&] { return create_object<cusolverStatus_t>(info); });
}
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info) {
  return call(__func__, [&] { return destroy_object<cusolverStatus_t>(info); });
}
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance) {
  return set(__func__, info, [=](auto& limits) { limits.tolerance = tolerance; });
}
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int max_sweeps) {
  return set(__func__, info, [=](auto& limits) { limits.sweeps = max_sweeps; });
}
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort_svd) {
  return set(__func__, info, [=](auto& limits) { limits.sorted = sort_svd != 0; });
}
cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t info, double* residual) {
  return get_outcome(__func__, handle, info, residual, &warpfiber::dense::JacobiOutcome::residual);
}
cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t info, int* executed_sweeps) {
  return get_outcome(__func__, handle, info, executed_sweeps, &warpfiber::dense::JacobiOutcome::sweeps);
}

}  // extern "C"
