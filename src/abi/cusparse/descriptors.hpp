// SPDX-License-Identifier: Apache-2.0
// What the program has under the handles of cuSPARSE, and how its calls end.
#pragma once

#include <warpfiber/cuda/cusparse/host_api.h>

#include <cstddef>
#include <utility>

#include "abi/library_call.hpp"
#include "numerics/sparse/sparse_matrix.hpp"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
};

struct cusparseSpMatDescr {
  warpfiber::numerics::SparseMatrix matrix{};
  unsigned type = 0;  // a cudaDataType
};

struct cusparseDnMatDescr {
  warpfiber::numerics::DenseMatrix matrix{};
  unsigned type = 0;
};

struct cusparseDnVecDescr {
  warpfiber::numerics::DenseMatrix vector{};
  unsigned type = 0;
};

namespace warpfiber::abi {

using SparseResult = LibraryResult<cusparseStatus_t>;

struct CusparseStatuses {
  static constexpr cusparseStatus_t in_kernel = CUSPARSE_STATUS_INTERNAL_ERROR;
  static constexpr cusparseStatus_t in_forked_child = CUSPARSE_STATUS_NOT_INITIALIZED;
  static constexpr cusparseStatus_t no_memory = CUSPARSE_STATUS_ALLOC_FAILED;
  static constexpr cusparseStatus_t not_supported = CUSPARSE_STATUS_NOT_SUPPORTED;
  static const char* name(cusparseStatus_t status);
};

inline SparseResult invalid_value(record::Reason why) {
  return {CUSPARSE_STATUS_INVALID_VALUE, std::move(why)};
}
/// `what`: the argument that cuSPARSE refuses.
inline SparseResult invalid_value(const char* what) {
  return invalid_value(record::stated(what));
}

/// The types of values that are computed with, by NVIDIA's numbers (library_types.h, which only programs have).
enum class SparseValueType : unsigned { float32 = 0, float64 = 1, complex32 = 4, complex64 = 5 };

/// The bytes of a value; 0 if the type is not modelled.
constexpr std::size_t size_of_value(unsigned type) {
  switch (SparseValueType{type}) {
    case SparseValueType::float32: return 4;
    case SparseValueType::float64:
    case SparseValueType::complex32: return 8;
    case SparseValueType::complex64: return 16;
  }
  return 0;
}

}  // namespace warpfiber::abi

/// Found by the type of its argument.
warpfiber::abi::CusparseStatuses library_statuses(cusparseStatus_t status);
