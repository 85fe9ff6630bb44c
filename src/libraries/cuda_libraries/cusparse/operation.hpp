// SPDX-License-Identifier: Apache-2.0
// What every function of cuSPARSE that computes does: it checks its arguments, collects which memory it reads and
// writes, and submits its work to the handle's stream. The indices of its sparse operands are looked at before that
// work: one outside of its matrix is a finding, the work is not done, and the device fails as it does after a kernel
// that accesses no allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cuda_libraries/cusparse/descriptors.hpp"
#include "device_memory/copies.hpp"
#include "record/reason.hpp"

namespace warpfiber::cuda_libraries {

class SparseOperation {
 public:
  explicit SparseOperation(cusparseContext* handle);

  [[nodiscard]] bool failed() const { return result_.failed(); }
  [[nodiscard]] const SparseResult& result() const { return result_; }
  /// The first failure counts.
  void fail(SparseResult why) {
    if (!failed()) result_ = std::move(why);
  }
  void refuse_unless(bool holds, const record::Reason& why) {
    if (!holds) fail(invalid_value(why));
  }
  /// Of the arguments that may not be null.
  template <class... Pointers>
  void need(Pointers... pointers) {
    for (const void* pointer : {static_cast<const void*>(pointers)...}) {
      if (pointer == nullptr) return fail(null_pointer());
    }
  }
  /// Types of operands that are not modelled together.
  void support(bool holds, const record::Reason& why) {
    if (!holds) fail({CUSPARSE_STATUS_NOT_SUPPORTED, why});
  }

  /// A factor of the program's; null is refused.
  numerics::Scalar scalar(const void* at, cudaDataType type);
  /// A result of `bytes`, which is where the pointer mode says.
  void result_at(const char* name, const void* at, std::size_t bytes);

  void line(bool writes, const void* at, std::int64_t count, std::size_t element);
  void reads(const numerics::SparseMatrix& matrix);
  /// Indices alone, of a matrix whose values are not read or not yet there.
  void reads_indices(const numerics::SparseMatrix& matrix);
  void reads_offsets(const numerics::SparseMatrix& matrix);
  void values(bool writes, const numerics::SparseMatrix& matrix);
  void dense(bool writes, const numerics::DenseMatrix& matrix);
  void sparse_vector(bool writes, const numerics::SparseVector& vector);

  SparseResult submit(device_memory::LibraryWork work, device_memory::Wait wait = device_memory::Wait::no);

  /// Where the result of a reduction is.
  [[nodiscard]] bool is_on_device() const {
    return handle_ != nullptr && handle_->mode == CUSPARSE_POINTER_MODE_DEVICE;
  }

 private:
  void expect_place(const char* name, const void* at);

  using Look = std::function<std::optional<numerics::WrongIndex>()>;

  cusparseContext* handle_;
  SparseResult result_{};
  device_memory::LibraryAccesses accesses_{};
  std::vector<Look> looks_{};
};

/// What `work`, called with a SparseOperation, returns.
template <class Work>
cusparseStatus_t sparse_operation(const char* function, cusparseContext* handle, Work&& work,
                                  const void* returns_to = __builtin_return_address(0)) {
  return library_call<cusparseStatus_t>(
      function,
      [&] {
        SparseOperation operation(handle);
        return SparseResult(work(operation));
      },
      returns_to);
}

inline numerics::MatrixUse use_of(cusparseOperation_t operation) {
  switch (operation) {
    case CUSPARSE_OPERATION_TRANSPOSE: return numerics::MatrixUse::transposed;
    case CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE: return numerics::MatrixUse::conjugated;
    default: return numerics::MatrixUse::plain;
  }
}

/// Rows and columns of a matrix as it is used.
struct UsedSize {
  std::int64_t rows;
  std::int64_t columns;
};
template <class Matrix>
UsedSize used_size(const Matrix& matrix, cusparseOperation_t operation) {
  const bool plain = operation == CUSPARSE_OPERATION_NON_TRANSPOSE;
  return plain ? UsedSize{matrix.rows, matrix.columns} : UsedSize{matrix.columns, matrix.rows};
}

/// Nothing is kept in the program's buffers: their sizes are the same for each matrix.
inline constexpr std::size_t kBufferBytes = 16;

/// Where the operation is accepted, writes the size of its buffer.
template <class Size>
SparseResult put_buffer_size(SparseOperation& operation, Size* size) {
  if (size == nullptr) operation.fail(invalid_value(record::Reason(ReasonKind::result_pointer_null)));
  if (!operation.failed()) *size = static_cast<Size>(kBufferBytes);
  return operation.result();
}

}  // namespace warpfiber::cuda_libraries
