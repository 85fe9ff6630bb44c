// SPDX-License-Identifier: Apache-2.0
// cuBLASXt: products of matrices that may be in the host's memory. Each is cuBLAS's with a handle that takes such
// memory and waits for what is computed, whichever devices are selected.
#include <warpfiber/cuda/cublas/xt_api.h>

#include <set>

#include "cuda_libraries/cublas/operation.hpp"
#include "cuda_libraries/library_object.hpp"
#include "process/current_device.hpp"

struct cublasXtContext {
  cublasXtContext() { handle.takes_host_memory = true; }

  cublasContext handle{};
  std::set<int> devices{};
  int block = 2048;
  cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
};

namespace warpfiber::cuda_libraries {
namespace {

/// Calls `use` with the handle if there is one.
template <class Use>
cublasStatus_t with_xt_handle(const char* function, cublasXtHandle_t handle, Use use,
                              const void* returns_to = __builtin_return_address(0)) {
  return library_call<cublasStatus_t>(
      function,
      [&]() -> CublasResult {
        if (handle == nullptr) return {CUBLAS_STATUS_NOT_INITIALIZED, ReasonKind::pointer_null};
        return use(*handle);
      },
      returns_to);
}

CublasResult select_devices(cublasXtContext& context, int count, const int* devices) {
  if (devices == nullptr) return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, "deviceId"}};
  if (count < 1) return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_value_too_small, "nbDevices", count, 1}};
  const std::set<int> selected(devices, devices + count);
  for (const int device : selected) {
    if (device < 0 || device >= process::device_count()) {
      return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_choice_unknown, "device", device}};
    }
  }
  context.devices = selected;
  return {};
}

/// The handle of the products; null gives cuBLAS's status for one.
cublasHandle_t handle_of(cublasXtHandle_t handle) {
  return handle == nullptr ? nullptr : &handle->handle;
}

/// What is larger than any memory stays so.
std::int64_t wide_size(std::size_t size) {
  return static_cast<std::int64_t>(size);
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle) {
  return library_call<cublasStatus_t>(__func__, [&] { return create_object<cublasStatus_t>(handle); });
}
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  return with_xt_handle(__func__, handle, [](cublasXtContext& of) { return destroy_object<cublasStatus_t>(&of); });
}
cublasStatus_t cublasXtGetNumBoards(int nbDevices, int* deviceId, int* nbBoards) {
  return library_call<cublasStatus_t>(__func__, [&] {
    cublasXtContext selected;
    const CublasResult wrong = select_devices(selected, nbDevices, deviceId);
    return wrong.failed() ? wrong : put_result<cublasStatus_t>(nbBoards, static_cast<int>(selected.devices.size()));
  });
}
cublasStatus_t cublasXtMaxBoards(int* nbGpuBoards) {
  return library_call<cublasStatus_t>(
      __func__, [&] { return put_result<cublasStatus_t>(nbGpuBoards, warpfiber::process::device_count()); });
}
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices, int* deviceId) {
  return with_xt_handle(__func__, handle, [=](cublasXtContext& of) { return select_devices(of, nbDevices, deviceId); });
}
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim) {
  return with_xt_handle(__func__, handle, [=](cublasXtContext& of) -> CublasResult {
    if (blockDim < 1) return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_value_too_small, "blockDim", blockDim, 1}};
    of.block = blockDim;
    return {};
  });
}
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* blockDim) {
  return with_xt_handle(__func__, handle,
                        [=](cublasXtContext& of) { return put_result<cublasStatus_t>(blockDim, of.block); });
}
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode) {
  return with_xt_handle(__func__, handle, [=](cublasXtContext& of) -> CublasResult {
    if (mode < 0 || mode > CUBLASXT_PINNING_ENABLED) {
      return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_choice_unknown, "mode", static_cast<int>(mode)}};
    }
    of.pinning = mode;
    return {};
  });
}
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode) {
  return with_xt_handle(__func__, handle,
                        [=](cublasXtContext& of) { return put_result<cublasStatus_t>(mode, of.pinning); });
}

#define WARPFIBER_XT_GEMM(t, T)                                                                                      \
  WARPFIBER_CUBLASXT_GEMM(t, T) {                                                                                    \
    return cublas##t##gemm_64(handle_of(handle), transa, transb, wide_size(m), wide_size(n), wide_size(k), alpha, A, \
                              wide_size(lda), B, wide_size(ldb), beta, C, wide_size(ldc));                           \
  }
#define WARPFIBER_XT_SYMM(name, T)                                                                                   \
  WARPFIBER_CUBLASXT_SYMM(name, T) {                                                                                 \
    return cublas##name##_64(handle_of(handle), side, uplo, wide_size(m), wide_size(n), alpha, A, wide_size(lda), B, \
                             wide_size(ldb), beta, C, wide_size(ldc));                                               \
  }
#define WARPFIBER_XT_SYRK(name, T, R)                                                                              \
  WARPFIBER_CUBLASXT_SYRK(name, T, R) {                                                                            \
    return cublas##name##_64(handle_of(handle), uplo, trans, wide_size(n), wide_size(k), alpha, A, wide_size(lda), \
                             beta, C, wide_size(ldc));                                                             \
  }
#define WARPFIBER_XT_SYR2K(name, T, R)                                                                                \
  WARPFIBER_CUBLASXT_SYR2K(name, T, R) {                                                                              \
    return cublas##name##_64(handle_of(handle), uplo, trans, wide_size(n), wide_size(k), alpha, A, wide_size(lda), B, \
                             wide_size(ldb), beta, C, wide_size(ldc));                                                \
  }
#define WARPFIBER_XT_TRSM(t, T)                                                                                 \
  WARPFIBER_CUBLASXT_TRSM(t, T) {                                                                               \
    return cublas##t##trsm_64(handle_of(handle), side, uplo, trans, diag, wide_size(m), wide_size(n), alpha, A, \
                              wide_size(lda), B, wide_size(ldb));                                               \
  }
#define WARPFIBER_XT_TRMM(t, T)                                                                                 \
  WARPFIBER_CUBLASXT_TRMM(t, T) {                                                                               \
    return cublas##t##trmm_64(handle_of(handle), side, uplo, trans, diag, wide_size(m), wide_size(n), alpha, A, \
                              wide_size(lda), B, wide_size(ldb), C, wide_size(ldc));                            \
  }
WARPFIBER_CUBLASXT_FUNCTIONS(WARPFIBER_XT_GEMM, WARPFIBER_XT_SYMM, WARPFIBER_XT_SYRK, WARPFIBER_XT_SYR2K,
                             WARPFIBER_XT_TRSM, WARPFIBER_XT_TRMM)

}  // extern "C"
