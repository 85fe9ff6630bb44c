// SPDX-License-Identifier: Apache-2.0
// What functions of cuSOLVER for sparse matrices read and write: matrices by rows and arrays of numbers.
#include "cuda_libraries/cusolver/sparse_operation.hpp"

#include <algorithm>

#include "cuda_libraries/cusparse/descriptors.hpp"
#include "device_memory/copies.hpp"

namespace warpfiber::cuda_libraries {

using numerics::EntryRow;
using numerics::EntryVector;
using numerics::WideNumber;

EntryVector NumberArray::read(std::int64_t n) const {
  EntryVector numbers(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) numbers[i] = numerics::value_at<WideNumber>(kind, at, i);
  return numbers;
}

void NumberArray::write(const EntryVector& numbers) const {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numerics::put_value(kind, const_cast<void*>(at), static_cast<std::int64_t>(i), numbers[i]);
  }
}

int CsrMatrix::base() const {
  return descriptor->base == CUSPARSE_INDEX_BASE_ONE ? 1 : 0;
}

bool CsrMatrix::read(std::vector<EntryRow>& into) const {
  for (std::int64_t i = 0; i < rows; ++i) {
    if (offsets[i] < base() || offsets[i + 1] < offsets[i] || offsets[i + 1] - base() > entries) return false;
    EntryRow row;
    for (std::int64_t at = offsets[i] - base(); at < offsets[i + 1] - base(); ++at) {
      const std::int64_t column = indices[at] - base();
      if (column < 0 || column >= columns) return false;
      row.emplace_back(column, values.at == nullptr ? 0 : numerics::value_at<WideNumber>(values.kind, values.at, at));
    }
    std::ranges::sort(row, {}, &EntryRow::value_type::first);
    into.push_back(std::move(row));
  }
  return true;
}

SparseSolverCall::SparseSolverCall(cusolverSpHandle_t handle, ArrayHome home) : home_(home) {
  if (handle == nullptr) {
    fail(CUSOLVER_STATUS_NOT_INITIALIZED, ReasonKind::pointer_null);
  } else {
    stream_ = handle->stream;
  }
}

void SparseSolverCall::at_least(const char* name, std::int64_t value, std::int64_t least) {
  if (value < least) fail(CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::blas_value_too_small, name, value, least});
}

void SparseSolverCall::not_null(const char* name, const void* pointer) {
  if (pointer == nullptr) fail(CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::end_null, name});
}

void SparseSolverCall::whole_order(const char* name, const int* order, std::int64_t n) {
  if (!failed() && !is_order(order, n)) {
    fail(CUSOLVER_STATUS_INVALID_VALUE, {ReasonKind::solver_order_incomplete, name, n});
  }
}

void SparseSolverCall::device_memory_of(const char* name, bool writes, const void* at, std::size_t bytes,
                                        std::int64_t columns, std::size_t distance) {
  if (failed() || columns <= 0) return;
  const auto count = static_cast<std::size_t>(columns);
  memory_.add(name, writes, device_memory::rows(at, distance, count), {bytes, count});
}

void SparseSolverCall::reads(const char* name, const NumberArray& array, std::int64_t n) {
  if (n <= 0) return;
  not_null(name, array.at);
  if (home_ == ArrayHome::device) {
    device_memory_of(name, false, array.at, numerics::bytes_of(array.kind) * static_cast<std::size_t>(n));
  }
}

void SparseSolverCall::writes(const char* name, const NumberArray& array, std::int64_t n) {
  if (n <= 0) return;
  not_null(name, array.at);
  if (home_ == ArrayHome::device) {
    device_memory_of(name, true, array.at, numerics::bytes_of(array.kind) * static_cast<std::size_t>(n));
  }
}

void SparseSolverCall::reads(const char* name, const int* array, std::int64_t n) {
  if (n <= 0) return;
  not_null(name, array);
  if (home_ == ArrayHome::device) device_memory_of(name, false, array, sizeof(int) * static_cast<std::size_t>(n));
}

void SparseSolverCall::reads(const CsrMatrix& matrix) {
  at_least("m", matrix.rows, 0);
  at_least("n", matrix.columns, 0);
  at_least("nnz", matrix.entries, 0);
  not_null("descrA", matrix.descriptor);
  if (failed()) return;
  reads("csrRowPtr", matrix.offsets, matrix.rows + 1);
  reads("csrColInd", matrix.indices, matrix.entries);
  if (matrix.values.at != nullptr) reads("csrVal", matrix.values, matrix.entries);
}

SolverResult SparseSolverCall::submit(const std::function<record::Reason()>& work) {
  if (failed()) return result_;
  record::Reason why;
  if (home_ == ArrayHome::host) {
    why = work();
  } else {
    const Error error = device_memory::in_stream_with(stream_, memory_.take_accesses(), [&] { why = work(); },
                                                      {device_memory::Wait::yes, {}});
    const SolverResult done = library_result(error, CUSOLVER_STATUS_EXECUTION_FAILED);
    if (done.failed()) return done;
  }
  if (why.empty()) return {};
  return {CUSOLVER_STATUS_INVALID_VALUE, why};
}

bool is_order(const int* order, std::int64_t n) {
  std::vector<bool> seen(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    if (order[i] < 0 || order[i] >= n || seen[order[i]]) return false;
    seen[order[i]] = true;
  }
  return true;
}

cusolverStatus_t sparse_solver_call(const char* function, cusolverSpHandle_t handle, ArrayHome home,
                                    const std::function<SolverResult(SparseSolverCall&)>& work,
                                    const void* returns_to) {
  return library_call<cusolverStatus_t>(
      function,
      [&]() -> SolverResult {
        SparseSolverCall operation(handle, home);
        return operation.failed() ? operation.result() : work(operation);
      },
      returns_to);
}

}  // namespace warpfiber::cuda_libraries
