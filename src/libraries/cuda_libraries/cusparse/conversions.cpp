// SPDX-License-Identifier: Apache-2.0
// Dense to sparse and back. The count of a sparse result's entries is known when its analysis returns.
#include "numerics/sparse/conversions.hpp"

#include "cuda_libraries/cusparse/operation.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using device_memory::Wait;
using numerics::DenseMatrix;
using numerics::SparseFormat;
using numerics::SparseMatrix;

void check_pair(SparseOperation& operation, const cusparseDnMatDescr* dense, const cusparseSpMatDescr* sparse) {
  operation.need(dense, sparse);
  if (operation.failed()) return;
  operation.refuse_unless(dense->matrix.rows == sparse->matrix.rows && dense->matrix.columns == sparse->matrix.columns,
                          ReasonKind::sparse_sizes_differ);
  operation.support(dense->type == sparse->type, ReasonKind::sparse_types_not_modelled);
  operation.support(value_kind_of(dense->type).has_value(), ReasonKind::sparse_type_not_modelled);
  const SparseFormat format = sparse->matrix.format;
  operation.support(format != SparseFormat::bsr && format != SparseFormat::sliced_ell,
                    ReasonKind::sparse_format_not_taken);
}

void check_algorithm(SparseOperation& operation, bool exists) {
  operation.refuse_unless(exists, ReasonKind::sparse_choice_unknown);
}

/// Blocks of blocked_ell are those that its indices name; of other formats the entries are counted.
SparseResult analyse(SparseOperation& operation, const cusparseDnMatDescr* dense, cusparseSpMatDescr* sparse) {
  check_pair(operation, dense, sparse);
  if (operation.failed() || sparse->matrix.format == SparseFormat::blocked_ell) return operation.result();
  const DenseMatrix& from = dense->matrix;
  const SparseMatrix& to = sparse->matrix;
  operation.dense(false, from);
  if (to.is_compressed()) operation.line(true, to.outer, to.outer_count(), to.outer_bytes());
  auto count = std::make_shared<std::int64_t>(0);
  const auto work = [from, to, count] {
    *count = numerics::count_entries(from);
    if (to.is_compressed()) numerics::put_offsets(from, to);
  };
  SparseResult result = operation.submit(work, Wait::unpromised);
  if (!result.failed()) sparse->matrix.entries = *count;
  return result;
}

SparseResult convert(SparseOperation& operation, const cusparseDnMatDescr* dense, const cusparseSpMatDescr* sparse) {
  check_pair(operation, dense, sparse);
  if (operation.failed()) return operation.result();
  const SparseMatrix& to = sparse->matrix;
  operation.dense(false, dense->matrix);
  if (to.format == SparseFormat::blocked_ell) {
    operation.reads_indices(to);
  } else {
    if (to.format == SparseFormat::coo) operation.line(true, to.outer, to.outer_count(), to.outer_bytes());
    if (to.is_compressed()) operation.reads_offsets(to);
    operation.line(true, to.inner, to.inner_count(), to.inner_bytes());
  }
  operation.values(true, to);
  return operation.submit([from = dense->matrix, to] { numerics::to_sparse(from, to); });
}

SparseResult expand(SparseOperation& operation, const cusparseSpMatDescr* sparse, const cusparseDnMatDescr* dense) {
  check_pair(operation, dense, sparse);
  if (operation.failed()) return operation.result();
  operation.reads(sparse->matrix);
  operation.dense(true, dense->matrix);
  return operation.submit([from = sparse->matrix, to = dense->matrix] { numerics::to_dense(from, to); });
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                                  cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t algorithm,
                                                  size_t* size) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    check_algorithm(operation, algorithm == CUSPARSE_DENSETOSPARSE_ALG_DEFAULT);
    check_pair(operation, dense, sparse);
    return put_buffer_size(operation, size);
  });
}
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                                cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t, void* buffer) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    operation.need(buffer);
    return analyse(operation, dense, sparse);
  });
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                               cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t, void*) {
  return sparse_operation(__func__, handle,
                          [&](SparseOperation& operation) { return convert(operation, dense, sparse); });
}
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                                  cusparseDnMatDescr_t dense, cusparseSparseToDenseAlg_t algorithm,
                                                  size_t* size) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    check_algorithm(operation, algorithm == CUSPARSE_SPARSETODENSE_ALG_DEFAULT);
    check_pair(operation, dense, sparse);
    return put_buffer_size(operation, size);
  });
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                       cusparseDnMatDescr_t dense, cusparseSparseToDenseAlg_t algorithm, void* buffer) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    operation.need(buffer);
    check_algorithm(operation, algorithm == CUSPARSE_SPARSETODENSE_ALG_DEFAULT);
    return expand(operation, sparse, dense);
  });
}

}  // extern "C"
