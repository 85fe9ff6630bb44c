// SPDX-License-Identifier: Apache-2.0
// Accesses of operations, and what becomes of indices that are outside of their matrix.
#include "cuda_libraries/cusparse/operation.hpp"

#include <string>
#include <utility>

#include "cuda_libraries/arguments.hpp"
#include "process/current_device.hpp"
#include "process/errors.hpp"
#include "process/findings/findings_log.hpp"
#include "process/findings/host_findings.hpp"
#include "process/user_call.hpp"
#include "record/diagnosis.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using device_memory::Wait;
using numerics::DenseMatrix;
using numerics::SparseFormat;
using numerics::SparseMatrix;
using numerics::SparseVector;
using numerics::WrongIndex;

void report(const WrongIndex& wrong, const process::UserCall& call, int device) {
  record::Finding finding = process::host_memory_finding(record::Verdict::oob_global, wrong.at, call);
  finding.diagnosis =
      record::SparseIndexOutside{call.function, wrong.what, wrong.position, wrong.index, wrong.least, wrong.most};
  process::log_finding(std::move(finding));
  process::report_device_error(device, Error::illegal_address);
}

std::size_t bytes(std::int64_t count, std::size_t element) {
  return static_cast<std::size_t>(count) * element;
}

}  // namespace

SparseOperation::SparseOperation(cusparseContext* handle) : handle_(handle) {
  need(handle);
}

numerics::Scalar SparseOperation::scalar(const void* at, cudaDataType type) {
  const auto kind = value_kind_of(type);
  need(at);
  support(kind.has_value(), ReasonKind::sparse_type_not_modelled);
  if (!failed()) expect_place("a factor", at);
  if (failed()) return {};
  if (is_on_device()) line(false, at, 1, bytes_of(*kind));
  return {*kind, at, is_on_device()};
}

void SparseOperation::result_at(const char* name, const void* at, std::size_t bytes) {
  if (!failed() && is_on_device()) expect_place(name, at);
  if (!failed() && is_on_device()) line(true, at, 1, bytes);
}

void SparseOperation::expect_place(const char* name, const void* at) {
  static constexpr PointerModeNames kModes{"CUSPARSE_POINTER_MODE_HOST", "CUSPARSE_POINTER_MODE_DEVICE"};
  const WrongPlace wrong = wrong_place(name, at, is_on_device(), kModes);
  if (!wrong.why.empty()) fail({CUSPARSE_STATUS_EXECUTION_FAILED, wrong.why, wrong.fix});
}

void SparseOperation::line(bool writes, const void* at, std::int64_t count, std::size_t element) {
  if (count <= 0) return;
  accesses_.push_back({device_memory::line(at, bytes(count, element)), {bytes(count, element)}, writes});
}

void SparseOperation::reads_offsets(const SparseMatrix& matrix) {
  for (int i = 0; i < matrix.batch; ++i) {
    const SparseMatrix one = matrix.of_batch(i);
    line(false, one.outer, one.outer_count(), one.outer_bytes());
  }
}

void SparseOperation::reads_indices(const SparseMatrix& matrix) {
  reads_offsets(matrix);
  for (int i = 0; i < matrix.batch; ++i) {
    const SparseMatrix one = matrix.of_batch(i);
    line(false, one.inner, one.inner_count(), one.inner_bytes());
  }
  looks_.emplace_back([matrix] { return numerics::find_outside(matrix); });
}

void SparseOperation::values(bool writes, const SparseMatrix& matrix) {
  for (int i = 0; i < matrix.batch; ++i) {
    const SparseMatrix one = matrix.of_batch(i);
    line(writes, one.values, one.value_count(), bytes_of(one.kind));
  }
}

void SparseOperation::reads(const SparseMatrix& matrix) {
  reads_indices(matrix);
  values(false, matrix);
}

void SparseOperation::dense(bool writes, const DenseMatrix& matrix) {
  const std::size_t element = bytes_of(matrix.kind);
  const std::size_t width = bytes(matrix.by_row ? matrix.columns : matrix.rows, element);
  const std::size_t lines = bytes(matrix.by_row ? matrix.rows : matrix.columns, 1);
  if (width == 0 || lines == 0) return;
  for (int i = 0; i < matrix.batch; ++i) {
    const void* const at = matrix.of_batch(i).values;
    accesses_.push_back({device_memory::rows(at, bytes(matrix.leading, element), lines), {width, lines}, writes});
  }
}

void SparseOperation::sparse_vector(bool writes, const SparseVector& vector) {
  line(false, vector.indices, vector.entries, vector.is_64 ? 8 : 4);
  line(writes, vector.values, vector.entries, bytes_of(vector.kind));
  looks_.emplace_back([vector] { return numerics::find_outside(vector); });
}

SparseResult SparseOperation::submit(device_memory::LibraryWork work, Wait wait) {
  if (failed()) return result_;
  const auto checked = [looks = std::move(looks_), work = std::move(work), call = process::user_call(),
                        device = process::current_device()] {
    for (const Look& look : looks) {
      if (const auto wrong = look(); wrong.has_value()) return report(*wrong, call, device);
    }
    work();
  };
  const Error error = device_memory::in_stream_with(handle_->stream, std::move(accesses_), checked, {wait, {}});
  return library_result(error, CUSPARSE_STATUS_EXECUTION_FAILED);
}

}  // namespace warpfiber::cuda_libraries
