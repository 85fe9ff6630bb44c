// SPDX-License-Identifier: Apache-2.0
// What the program has under the handles of cuSPARSE, and how its calls end.
#pragma once

#include <warpfiber/cuda/cusparse/host_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cuda_libraries/arguments.hpp"
#include "cuda_libraries/library_object.hpp"
#include "numerics/sparse/products.hpp"
#include "numerics/sparse/solves.hpp"
#include "numerics/sparse/sparse_matrix.hpp"
#include "record/reason.hpp"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
};

struct cusparseSpMatDescr {
  warpfiber::numerics::SparseMatrix matrix{};
  cudaDataType type = CUDA_R_32F;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
};

struct cusparseDnMatDescr {
  warpfiber::numerics::DenseMatrix matrix{};
  cudaDataType type = CUDA_R_32F;
};

struct cusparseDnVecDescr {
  warpfiber::numerics::DenseMatrix vector{};
  cudaDataType type = CUDA_R_32F;
};

struct cusparseSpVecDescr {
  warpfiber::numerics::SparseVector vector{};
  cudaDataType type = CUDA_R_32F;
};

/// Of the arrays of a legacy function.
struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

/// A product of two sparse matrices, as far as its calls have come.
struct cusparseSpGEMMDescr {
  std::shared_ptr<warpfiber::numerics::ProductPattern> pattern{};
  std::shared_ptr<std::vector<warpfiber::numerics::WideNumber>> values{};
  std::int64_t products = 0;
};

/// The values that an analysis has taken, for SpSV and SpSM.
struct cusparseSpSVDescr {
  std::shared_ptr<warpfiber::numerics::SolvedValues> values{};
  std::optional<warpfiber::numerics::SparseMatrix> matrix{};
};
struct cusparseSpSMDescr : cusparseSpSVDescr {};

/// An incomplete factorisation. A row is -1 where there is none of its kind.
struct IncompleteFactors {
  bool analysed = false;
  std::int64_t base = 0;
  std::shared_ptr<std::int64_t> zero_pivot = std::make_shared<std::int64_t>(-1);
  warpfiber::numerics::PivotBoost boost{};
};
struct csrilu02Info : IncompleteFactors {};
struct csric02Info : IncompleteFactors {};

namespace warpfiber::cuda_libraries {

using SparseResult = LibraryResult<cusparseStatus_t>;

struct CusparseStatuses {
  static constexpr cusparseStatus_t in_kernel = CUSPARSE_STATUS_INTERNAL_ERROR;
  static constexpr cusparseStatus_t in_forked_child = CUSPARSE_STATUS_NOT_INITIALIZED;
  static constexpr cusparseStatus_t no_memory = CUSPARSE_STATUS_ALLOC_FAILED;
  static constexpr cusparseStatus_t not_supported = CUSPARSE_STATUS_NOT_SUPPORTED;
  static constexpr cusparseStatus_t invalid_value = CUSPARSE_STATUS_INVALID_VALUE;
  static constexpr const char* page = "docs/cusparse.md";
  static const char* name(cusparseStatus_t status);
};

inline SparseResult invalid_value(record::Reason why) {
  return {CUSPARSE_STATUS_INVALID_VALUE, std::move(why)};
}
inline SparseResult null_pointer() {
  return invalid_value(record::Reason(ReasonKind::pointer_null));
}

/// Whether cuSPARSE has such a choice.
inline bool exists(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_16U || type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}
inline bool exists(cusparseIndexBase_t base) {
  return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}
inline bool exists(cusparseOrder_t order) {
  return order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW;
}
inline bool exists(cusparseOperation_t operation) {
  return operation == CUSPARSE_OPERATION_NON_TRANSPOSE || operation == CUSPARSE_OPERATION_TRANSPOSE ||
         operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

/// The kind of values that computations have; none: values of that type are not modelled.
std::optional<numerics::NumberKind> value_kind_of(cudaDataType type);

/// Calls `work`, which returns a SparseResult, as `function`.
template <class Work>
cusparseStatus_t sparse_call(const char* function, Work&& work, const void* returns_to = __builtin_return_address(0)) {
  return library_call<cusparseStatus_t>(function, work, returns_to);
}

/// Writes `value` of the descriptor where the program asks for it, unless one of the two is null.
template <class Descriptor, class Place, class Value>
SparseResult put(const Descriptor* descriptor, Place* place, Value value) {
  if (descriptor == nullptr || place == nullptr) return null_pointer();
  *place = value(*descriptor);
  return {};
}

}  // namespace warpfiber::cuda_libraries

/// Found by the type of its argument.
warpfiber::cuda_libraries::CusparseStatuses library_statuses(cusparseStatus_t status);
