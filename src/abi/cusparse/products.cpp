// SPDX-License-Identifier: Apache-2.0
// Products of sparse with dense matrices and vectors. Each is an operation of the handle's stream, and the checker
// knows what it reads and writes; of an operand that is read by index, all of it.
#include <complex>
#include <cstring>
#include <utility>

#include "abi/cusparse/descriptors.hpp"
#include "device_memory/copies.hpp"

namespace warpfiber::abi {
namespace {

using device_memory::LibraryAccesses;
using numerics::DenseMatrix;
using numerics::MatrixUse;
using numerics::SparseFormat;
using numerics::SparseMatrix;

/// c = alpha * use_a(a) * use_b(b) + beta * c.
struct SparseProduct {
  cusparseContext* handle;
  const cusparseSpMatDescr* a;
  cusparseOperation_t use_a;
  DenseMatrix b;
  unsigned b_type;
  cusparseOperation_t use_b;
  DenseMatrix c;
  unsigned c_type;
  const void* alpha;
  const void* beta;
  unsigned compute_type;
};

MatrixUse use_of(cusparseOperation_t operation) {
  switch (operation) {
    case CUSPARSE_OPERATION_TRANSPOSE: return MatrixUse::transposed;
    case CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE: return MatrixUse::conjugated;
    default: return MatrixUse::plain;
  }
}

SparseResult check(const SparseProduct& product) {
  if (product.handle == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
  if (product.a == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
  if (product.alpha == nullptr || product.beta == nullptr)
    return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
  const bool plain_a = product.use_a == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool plain_b = product.use_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const SparseMatrix& a = product.a->matrix;
  const std::int64_t rows = plain_a ? a.rows : a.columns, inner = plain_a ? a.columns : a.rows;
  const std::int64_t columns = plain_b ? product.b.columns : product.b.rows;
  if (inner != (plain_b ? product.b.rows : product.b.columns) || rows != product.c.rows ||
      columns != product.c.columns) {
    return invalid_value("sizes of operands");
  }
  const unsigned type = product.compute_type;
  if (type != product.a->type || type != product.b_type || type != product.c_type || size_of_value(type) == 0) {
    return {CUSPARSE_STATUS_NOT_SUPPORTED, record::stated("types of operands")};
  }
  return {};
}

std::size_t bytes(std::int64_t count, std::size_t each) {
  return static_cast<std::size_t>(count) * each;
}

void add(LibraryAccesses& accesses, const void* at, std::size_t size, bool writes) {
  if (size != 0) accesses.push_back({device_memory::line(at, size), {size}, writes});
}

void add_dense(LibraryAccesses& accesses, const DenseMatrix& matrix, std::size_t value, bool writes) {
  const std::size_t width = bytes(matrix.by_row ? matrix.columns : matrix.rows, value);
  const std::size_t lines = bytes(matrix.by_row ? matrix.rows : matrix.columns, 1);
  if (width == 0 || lines == 0) return;
  accesses.push_back({device_memory::rows(matrix.values, bytes(matrix.leading, value), lines), {width, lines}, writes});
}

/// beta's value is known only of the host's; an operand that is multiplied by 0 is not read.
LibraryAccesses accesses_of(const SparseProduct& product, bool reads_c) {
  const SparseMatrix& a = product.a->matrix;
  const std::size_t value = size_of_value(product.compute_type);
  const std::int64_t lines = a.format == SparseFormat::csr ? a.rows : a.columns;
  LibraryAccesses accesses;
  add(accesses, a.outer, bytes(a.format == SparseFormat::coo ? a.entries : lines + 1, a.outer_is_64 ? 8 : 4), false);
  add(accesses, a.inner, bytes(a.entries, a.inner_is_64 ? 8 : 4), false);
  add(accesses, a.values, bytes(a.entries, value), false);
  add_dense(accesses, product.b, value, false);
  if (product.handle->mode == CUSPARSE_POINTER_MODE_DEVICE) {
    add(accesses, product.alpha, value, false);
    add(accesses, product.beta, value, false);
  }
  if (reads_c) add_dense(accesses, product.c, value, false);
  add_dense(accesses, product.c, value, true);
  return accesses;
}

template <class Value>
SparseResult multiply_in_stream(const SparseProduct& product) {
  const bool of_device = product.handle->mode == CUSPARSE_POINTER_MODE_DEVICE;
  Value alpha{}, beta{};
  if (!of_device) {
    std::memcpy(&alpha, product.alpha, sizeof(Value));
    std::memcpy(&beta, product.beta, sizeof(Value));
  }
  const auto work = [=, a = product.a->matrix, b = product.b, c = product.c, alpha_at = product.alpha,
                     beta_at = product.beta, use_a = use_of(product.use_a), use_b = use_of(product.use_b)] {
    Value factor = alpha, kept = beta;
    if (of_device) {
      std::memcpy(&factor, alpha_at, sizeof(Value));
      std::memcpy(&kept, beta_at, sizeof(Value));
    }
    numerics::multiply<Value>(a, use_a, b, use_b, c, factor, kept);
  };
  LibraryAccesses accesses = accesses_of(product, of_device || beta != Value{});
  return library_result(device_memory::in_stream_with(product.handle->stream, std::move(accesses), work),
                        CUSPARSE_STATUS_EXECUTION_FAILED);
}

SparseResult multiply(const SparseProduct& product) {
  if (SparseResult wrong = check(product); wrong.failed()) return wrong;
  switch (SparseValueType{product.compute_type}) {
    case SparseValueType::float32: return multiply_in_stream<float>(product);
    case SparseValueType::float64: return multiply_in_stream<double>(product);
    case SparseValueType::complex32: return multiply_in_stream<std::complex<float>>(product);
    case SparseValueType::complex64: return multiply_in_stream<std::complex<double>>(product);
  }
  return {CUSPARSE_STATUS_NOT_SUPPORTED};
}

/// Nothing is kept in the buffer here; its size is that of an H200's for a small matrix.
SparseResult put_buffer_size(const SparseProduct& product, std::size_t* size) {
  constexpr std::size_t kBytes = 11;
  if (size == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::result_pointer_null));
  SparseResult result = check(product);
  if (!result.failed()) *size = kBytes;
  return result;
}

/// Calls `use` with the product of a matrix and a vector.
template <class Use>
SparseResult with_vectors(cusparseContext* handle, cusparseOperation_t use_a, const void* alpha,
                          const cusparseSpMatDescr* a, const cusparseDnVecDescr* x, const void* beta,
                          const cusparseDnVecDescr* y, unsigned type, Use use) {
  if (x == nullptr || y == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
  return use(SparseProduct{handle, a, use_a, x->vector, x->type, CUSPARSE_OPERATION_NON_TRANSPOSE, y->vector, y->type,
                           alpha, beta, type});
}

template <class Use>
SparseResult with_matrices(cusparseContext* handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                           const void* alpha, const cusparseSpMatDescr* a, const cusparseDnMatDescr* b,
                           const void* beta, const cusparseDnMatDescr* c, unsigned type, Use use) {
  if (b == nullptr || c == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
  return use(SparseProduct{handle, a, use_a, b->matrix, b->type, use_b, c->matrix, c->type, alpha, beta, type});
}

}  // namespace
}  // namespace warpfiber::abi

using namespace warpfiber::abi;

extern "C" {

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                              cusparseDnVecDescr_t y, unsigned type, cusparseSpMVAlg_t, void*) {
  return library_call<cusparseStatus_t>(
      __func__, [&] { return with_vectors(handle, operation, alpha, a, x, beta, y, type, multiply); });
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, unsigned type, cusparseSpMVAlg_t, void*) {
  return library_call<cusparseStatus_t>(
      __func__, [&] { return with_vectors(handle, operation, alpha, a, x, beta, y, type, check); });
}
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, unsigned type, cusparseSpMVAlg_t, size_t* size) {
  return library_call<cusparseStatus_t>(__func__, [&] {
    return with_vectors(handle, operation, alpha, a, x, beta, y, type,
                        [&](const SparseProduct& product) { return put_buffer_size(product, size); });
  });
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                              const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, unsigned type, cusparseSpMMAlg_t, void*) {
  return library_call<cusparseStatus_t>(
      __func__, [&] { return with_matrices(handle, use_a, use_b, alpha, a, b, beta, c, type, multiply); });
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                                         const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c, unsigned type, cusparseSpMMAlg_t,
                                         void*) {
  return library_call<cusparseStatus_t>(
      __func__, [&] { return with_matrices(handle, use_a, use_b, alpha, a, b, beta, c, type, check); });
}
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                                         const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c, unsigned type, cusparseSpMMAlg_t,
                                         size_t* size) {
  return library_call<cusparseStatus_t>(__func__, [&] {
    return with_matrices(handle, use_a, use_b, alpha, a, b, beta, c, type,
                         [&](const SparseProduct& product) { return put_buffer_size(product, size); });
  });
}

}  // extern "C"
