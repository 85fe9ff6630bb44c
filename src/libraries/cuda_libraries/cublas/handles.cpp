// SPDX-License-Identifier: Apache-2.0
// Handles of cuBLAS, what they are set to, the names of statuses, and copies of vectors and matrices.
#include <algorithm>
#include <string>

#include "cuda_libraries/cublas/operation.hpp"
#include "cuda_libraries/library_object.hpp"
#include "device_memory/copies.hpp"
#include "record/reason.hpp"

using namespace warpfiber;
using warpfiber::cuda_libraries::CublasResult;
using warpfiber::cuda_libraries::library_call;
using warpfiber::record::ReasonKind;

namespace {

/// Calls `use` with the handle if there is one.
template <class Use>
cublasStatus_t with_handle(const char* function, cublasHandle_t handle, Use use,
                           const void* returns_to = __builtin_return_address(0)) {
  return cuda_libraries::cublas_operation(
      function, handle,
      [&](cuda_libraries::CublasOperation& operation) {
        if (!operation.failed()) use(operation);
        return operation.result();
      },
      returns_to);
}

template <class T>
cublasStatus_t get(const char* function, cublasHandle_t handle, T cublasContext::*member, T* value,
                   const void* returns_to = __builtin_return_address(0)) {
  return cuda_libraries::cublas_operation(
      function, handle,
      [=](cuda_libraries::CublasOperation& operation) {
        return operation.failed() ? operation.result()
                                  : cuda_libraries::put_result<cublasStatus_t>(value, handle->*member);
      },
      returns_to);
}

/// Columns of `rows` elements, which lie `lda` and `ldb` apart.
struct ElementCopy {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t element;
  std::int64_t from_leading;
  std::int64_t to_leading;
};

CublasResult too_small(const char* name, std::int64_t value) {
  return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_value_too_small, name, value, 1}};
}

CublasResult copy(const ElementCopy& what, const void* from, void* to, cudaMemcpyKind kind,
                  const device_memory::Order& order) {
  if (what.rows < 0 || what.columns < 0) return {CUBLAS_STATUS_INVALID_VALUE};
  if (what.rows == 0 || what.columns == 0) return {};
  if (what.element <= 0) return too_small("elemSize", what.element);
  if (what.from_leading <= 0) return too_small("incx or lda", what.from_leading);
  if (what.to_leading <= 0) return too_small("incy or ldb", what.to_leading);
  const std::int64_t shorter = std::min(what.from_leading, what.to_leading);
  if (what.columns > 1 && shorter < what.rows) {
    return {CUBLAS_STATUS_MAPPING_ERROR, {ReasonKind::blas_value_too_small, "lda or ldb", shorter, what.rows}};
  }
  const auto size = static_cast<std::size_t>(what.element);
  const auto columns = static_cast<std::size_t>(what.columns);
  const process::Box box{size * static_cast<std::size_t>(what.rows), columns};
  const Error error = device_memory::copy(
      device_memory::rows(to, size * static_cast<std::size_t>(what.to_leading), columns),
      device_memory::rows(from, size * static_cast<std::size_t>(what.from_leading), columns), box, kind, order);
  return cuda_libraries::library_result(error, CUBLAS_STATUS_MAPPING_ERROR);
}

CublasResult copy_vector(const ElementCopy& what, const void* from, void* to, cudaMemcpyKind kind,
                         const device_memory::Order& order) {
  if (std::min(what.rows, what.columns) < 0) {
    return {CUBLAS_STATUS_MAPPING_ERROR, {ReasonKind::blas_value_too_small, "n", std::min(what.rows, what.columns), 0}};
  }
  return copy(what, from, to, kind, order);
}

ElementCopy vector_copy(std::int64_t n, std::int64_t element, std::int64_t from, std::int64_t to) {
  const bool dense = from == 1 && to == 1;
  return dense ? ElementCopy{n, 1, element, 1, 1} : ElementCopy{1, n, element, from, to};
}

}  // namespace

extern "C" {

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR: return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR: return "CUBLAS_STATUS_LICENSE_ERROR";
  }
  return "CUBLAS_STATUS_UNKNOWN";
}
/// NVIDIA's is a sentence.
const char* cublasGetStatusString(cublasStatus_t status) {
  return cublasGetStatusName(status);
}

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  return library_call<cublasStatus_t>(__func__, [&] { return cuda_libraries::create_object<cublasStatus_t>(handle); });
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  return with_handle(__func__, handle,
                     [=](cuda_libraries::CublasOperation&) { cuda_libraries::destroy_object<cublasStatus_t>(handle); });
}
/// Without a handle too.
cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  return library_call<cublasStatus_t>(
      __func__, [&] { return cuda_libraries::put_result<cublasStatus_t>(version, CUBLAS_VERSION); });
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  return library_call<cublasStatus_t>(__func__, [&]() -> CublasResult {
    constexpr int kParts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    if (value == nullptr) return {CUBLAS_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null};
    if (type < 0 || type > 2) {
      return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_choice_unknown, "property", static_cast<int>(type)}};
    }
    *value = kParts[type];
    return {};
  });
}
size_t cublasGetCudartVersion(void) {
  constexpr size_t kCuda13 = 13000;
  return kCuda13;
}
void cublasXerbla(const char* srName, int info) {
  const std::string which = "argument " + std::to_string(info);
  cuda_libraries::end_of_library_call(srName, CublasResult{CUBLAS_STATUS_INVALID_VALUE, record::stated(which)});
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return with_handle(__func__, handle, [=](cuda_libraries::CublasOperation&) { handle->stream = stream; });
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  return get(__func__, handle, &cublasContext::stream, stream);
}
/// The library needs no memory of the device.
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
  return with_handle(__func__, handle, [](cuda_libraries::CublasOperation&) {});
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  return with_handle(__func__, handle, [=](cuda_libraries::CublasOperation& operation) {
    operation.choose("pointer mode", mode, CUBLAS_POINTER_MODE_DEVICE);
    if (!operation.failed()) handle->pointer_mode = mode;
  });
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get(__func__, handle, &cublasContext::pointer_mode, mode);
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return with_handle(__func__, handle, [=](cuda_libraries::CublasOperation& operation) {
    operation.choose("atomics mode", mode, CUBLAS_ATOMICS_ALLOWED);
    if (!operation.failed()) handle->atomics_mode = mode;
  });
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get(__func__, handle, &cublasContext::atomics_mode, mode);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return with_handle(__func__, handle, [=](cuda_libraries::CublasOperation& operation) {
    const int way = mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    operation.choose("math mode", way, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION - 1);
    if (!operation.failed()) handle->math_mode = mode;
  });
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return get(__func__, handle, &cublasContext::math_mode, mode);
}

#define WARPFIBER_COPIES(Way, kind, Int, wide)                                                                       \
  cublasStatus_t cublas##Way##Vector##wide(Int n, Int size, const void* from, Int from_increment, void* to,          \
                                           Int to_increment) {                                                       \
    return library_call<cublasStatus_t>(__func__, [&] {                                                              \
      return copy_vector(vector_copy(n, size, from_increment, to_increment), from, to, kind, device_memory::kNow);   \
    });                                                                                                              \
  }                                                                                                                  \
  cublasStatus_t cublas##Way##Matrix##wide(Int rows, Int columns, Int size, const void* from, Int from_leading,      \
                                           void* to, Int to_leading) {                                               \
    return library_call<cublasStatus_t>(__func__, [&] {                                                              \
      return copy({rows, columns, size, from_leading, to_leading}, from, to, kind, device_memory::kNow);             \
    });                                                                                                              \
  }                                                                                                                  \
  cublasStatus_t cublas##Way##VectorAsync##wide(Int n, Int size, const void* from, Int from_increment, void* to,     \
                                                Int to_increment, cudaStream_t stream) {                             \
    return library_call<cublasStatus_t>(__func__, [&] {                                                              \
      return copy_vector(vector_copy(n, size, from_increment, to_increment), from, to, kind,                         \
                         device_memory::later(stream));                                                              \
    });                                                                                                              \
  }                                                                                                                  \
  cublasStatus_t cublas##Way##MatrixAsync##wide(Int rows, Int columns, Int size, const void* from, Int from_leading, \
                                                void* to, Int to_leading, cudaStream_t stream) {                     \
    return library_call<cublasStatus_t>(__func__, [&] {                                                              \
      return copy({rows, columns, size, from_leading, to_leading}, from, to, kind, device_memory::later(stream));    \
    });                                                                                                              \
  }

WARPFIBER_CUBLAS_BOTH(WARPFIBER_COPIES, Set, cudaMemcpyHostToDevice)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_COPIES, Get, cudaMemcpyDeviceToHost)

}  // extern "C"

#undef WARPFIBER_COPIES
