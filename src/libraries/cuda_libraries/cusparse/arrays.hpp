// SPDX-License-Identifier: Apache-2.0
// CSR matrices as the functions without generic descriptors have them: three arrays, and 32 bits for each index.
#pragma once

#include <complex>
#include <type_traits>

#include "cuda_libraries/cusparse/operation.hpp"
#include "record/reason.hpp"

namespace warpfiber::cuda_libraries {

/// CUDA's type for each letter of a function's name.
template <class T>
constexpr numerics::NumberKind kind_of_array() {
  if constexpr (std::is_same_v<T, float>) return numerics::NumberKind::float32;
  if constexpr (std::is_same_v<T, double>) return numerics::NumberKind::float64;
  if constexpr (std::is_same_v<T, float2>) return numerics::NumberKind::complex32;
  return numerics::NumberKind::complex64;
}
template <class T>
constexpr cudaDataType type_of_array() {
  if constexpr (std::is_same_v<T, float>) return CUDA_R_32F;
  if constexpr (std::is_same_v<T, double>) return CUDA_R_64F;
  if constexpr (std::is_same_v<T, float2>) return CUDA_C_32F;
  return CUDA_C_64F;
}

struct ArraySize {
  int rows;
  int columns;
  int entries;
};

/// `values` may be null where only indices matter.
template <class T>
numerics::SparseMatrix csr_arrays(const ArraySize& size, const cusparseMatDescr& descr, const T* values,
                                  const int* offsets, const int* columns) {
  numerics::SparseMatrix made;
  made.rows = size.rows;
  made.columns = size.columns;
  made.entries = size.entries;
  made.outer = offsets;
  made.inner = columns;
  made.values = values;
  made.kind = kind_of_array<T>();
  made.base = descr.base;
  return made;
}

/// What `work`, called with an operation, returns. Of functions without generic descriptors, which say otherwise that
/// there is no handle.
template <class Work>
cusparseStatus_t array_operation(const char* function, cusparseContext* handle, Work&& work,
                                 const void* returns_to = __builtin_return_address(0)) {
  return library_call<cusparseStatus_t>(
      function,
      [&] {
        if (handle == nullptr) {
          return SparseResult{CUSPARSE_STATUS_NOT_INITIALIZED, record::Reason(ReasonKind::pointer_null)};
        }
        SparseOperation operation(handle);
        return SparseResult(work(operation));
      },
      returns_to);
}

/// Sizes below 0 are refused.
template <class... Sizes>
void need_sizes(SparseOperation& operation, Sizes... sizes) {
  operation.refuse_unless(((sizes >= 0) && ...), ReasonKind::sparse_size_negative);
}

}  // namespace warpfiber::cuda_libraries
