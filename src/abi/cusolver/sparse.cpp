// SPDX-License-Identifier: Apache-2.0
// Handles of cuSOLVER for sparse matrices.
#include <warpfiber/cuda/cusolver/sparse_api.h>

#include <memory>

#include "abi/cusolver/operation.hpp"

struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};

namespace warpfiber::abi {
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

}  // namespace
}  // namespace warpfiber::abi

using namespace warpfiber::abi;

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

}  // extern "C"
