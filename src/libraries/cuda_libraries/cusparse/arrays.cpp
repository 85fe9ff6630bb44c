// SPDX-License-Identifier: Apache-2.0
// Conversions, orders and sums of matrices that are given by their arrays.
#include "cuda_libraries/cusparse/arrays.hpp"

#include <algorithm>
#include <numeric>

#include "numerics/sparse/conversions.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using device_memory::Wait;
using numerics::DenseMatrix;
using numerics::Scalar;
using numerics::SparseFormat;
using numerics::SparseMatrix;

constexpr std::size_t kIndex = sizeof(int);

/// An array of indices that an operation reads and writes.
void changes(SparseOperation& operation, const int* at, int count) {
  if (at == nullptr) return;
  for (const bool writes : {false, true}) operation.line(writes, at, count, kIndex);
}

SparseResult sort_coo(SparseOperation& operation, const ArraySize& size, int* first, int* second, int* order) {
  need_sizes(operation, size.rows, size.columns, size.entries);
  if (size.entries > 0) operation.need(first, second);
  changes(operation, first, size.entries);
  changes(operation, second, size.entries);
  changes(operation, order, size.entries);
  return operation.submit([=] { numerics::sort_pairs(size.entries, first, second, order); });
}

/// `lines`: rows of csr, columns of csc; each has its indices between two offsets.
SparseResult sort_compressed(SparseOperation& operation, int lines, int entries, const cusparseMatDescr* descr,
                             const int* offsets, int* indices, int* order) {
  need_sizes(operation, lines, entries);
  operation.need(descr, offsets);
  if (operation.failed()) return operation.result();
  SparseMatrix of = csr_arrays<float>({lines, entries, entries}, *descr, nullptr, offsets, indices);
  operation.reads_offsets(of);
  changes(operation, indices, entries);
  changes(operation, order, entries);
  return operation.submit([=, base = descr->base] { numerics::sort_lines(lines, offsets, base, indices, order); });
}

SparseResult sort_size(SparseOperation& operation, const ArraySize& size, std::size_t* bytes) {
  need_sizes(operation, size.rows, size.columns, size.entries);
  return put_buffer_size(operation, bytes);
}

struct ColumnArrays {
  void* values;
  int* offsets;
  int* rows;
};

void check_to_columns(SparseOperation& operation, const ArraySize& size, const int* offsets, const ColumnArrays& to,
                      cudaDataType type) {
  need_sizes(operation, size.rows, size.columns, size.entries);
  operation.need(offsets, to.offsets);
  operation.support(value_kind_of(type).has_value(), ReasonKind::sparse_type_not_modelled);
}

SparseResult to_columns(SparseOperation& operation, const ArraySize& size, const void* values, const int* offsets,
                        const int* columns, const ColumnArrays& to, cudaDataType type, cusparseAction_t action,
                        cusparseIndexBase_t base) {
  check_to_columns(operation, size, offsets, to, type);
  if (operation.failed()) return operation.result();
  SparseMatrix from = csr_arrays<float>(size, {.base = base}, nullptr, offsets, columns);
  from.kind = *value_kind_of(type);
  SparseMatrix result = from;
  result.format = SparseFormat::csc;
  result.outer = to.offsets;
  result.inner = to.rows;
  operation.reads_indices(from);
  operation.line(true, result.outer, result.outer_count(), kIndex);
  operation.line(true, result.inner, size.entries, kIndex);
  if (action == CUSPARSE_ACTION_NUMERIC) {
    operation.need(values, to.values);
    from.values = values;
    result.values = to.values;
    operation.values(false, from);
    operation.values(true, result);
  }
  return operation.submit([from, result] { numerics::to_columns(from, result); });
}

/// A csr matrix of a sum, as its arrays are given.
struct Summand {
  const cusparseMatDescr* descr;
  int entries;
  const void* values;
  const int* offsets;
  const int* columns;
};

template <class T>
SparseMatrix matrix_of(const Summand& of, int rows, int columns) {
  return csr_arrays({rows, columns, of.entries}, *of.descr, static_cast<const T*>(of.values), of.offsets, of.columns);
}

void check_sum(SparseOperation& operation, int rows, int columns, const Summand& a, const Summand& b,
               const Summand& c) {
  need_sizes(operation, rows, columns, a.entries, b.entries);
  operation.need(a.descr, b.descr, c.descr, a.offsets, b.offsets);
}

SparseResult count_sum(SparseOperation& operation, int rows, int columns, const Summand& a, const Summand& b,
                       const Summand& c, int* total) {
  check_sum(operation, rows, columns, a, b, c);
  operation.need(c.offsets, total);
  if (operation.failed()) return operation.result();
  const SparseMatrix left = matrix_of<float>(a, rows, columns), right = matrix_of<float>(b, rows, columns);
  const SparseMatrix sum = matrix_of<float>(c, rows, columns);
  operation.reads_indices(left);
  operation.reads_indices(right);
  operation.line(true, sum.outer, sum.outer_count(), kIndex);
  operation.result_at("the number of elements", total, kIndex);
  return operation.submit([=] { *total = static_cast<int>(numerics::put_offsets_of_sum(left, right, sum)); },
                          operation.is_on_device() ? Wait::no : Wait::yes);
}

template <class T>
SparseResult add(SparseOperation& operation, int rows, int columns, const T* alpha, const Summand& a, const T* beta,
                 const Summand& b, const Summand& c) {
  check_sum(operation, rows, columns, a, b, c);
  operation.need(c.offsets);
  const Scalar by_a = operation.scalar(alpha, type_of_array<T>()), by_b = operation.scalar(beta, type_of_array<T>());
  if (operation.failed()) return operation.result();
  const SparseMatrix left = matrix_of<T>(a, rows, columns), right = matrix_of<T>(b, rows, columns);
  SparseMatrix sum = matrix_of<T>(c, rows, columns);
  operation.reads(left);
  operation.reads(right);
  operation.reads_offsets(sum);
  return operation.submit([=] { numerics::put_sum(left, by_a, right, by_b, sum); });
}

template <class T>
SparseResult count_numbers(SparseOperation& operation, cusparseDirection_t direction, int rows, int columns,
                           const cusparseMatDescr* descr, const T* values, int leading, int* counts, int* total) {
  need_sizes(operation, rows, columns);
  operation.need(descr, values, counts, total);
  operation.refuse_unless(leading >= std::max(1, rows), ReasonKind::sparse_leading_too_small);
  if (operation.failed()) return operation.result();
  const bool by_row = direction == CUSPARSE_DIRECTION_ROW;
  const DenseMatrix dense{rows, columns, leading, false, const_cast<T*>(values), kind_of_array<T>()};
  operation.dense(false, dense);
  operation.line(true, counts, by_row ? rows : columns, kIndex);
  operation.result_at("the number of elements", total, kIndex);
  const auto work = [=] {
    numerics::count_by_line(dense, by_row, counts);
    *total = std::accumulate(counts, counts + (by_row ? rows : columns), 0);
  };
  return operation.submit(work, operation.is_on_device() ? Wait::no : Wait::yes);
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber;
using namespace warpfiber::cuda_libraries;

extern "C" {

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* offsets, int nnz, int m, int* rows,
                                  cusparseIndexBase_t base) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    need_sizes(operation, nnz, m);
    operation.need(offsets, rows);
    if (operation.failed()) return operation.result();
    SparseMatrix of = csr_arrays<float>({m, 0, nnz}, {.base = base}, nullptr, offsets, nullptr);
    operation.reads_offsets(of);
    operation.line(true, rows, nnz, kIndex);
    return operation.submit([of, rows] { numerics::expand_offsets(of, rows); });
  });
}
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* rows, int nnz, int m, int* offsets,
                                  cusparseIndexBase_t base) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    need_sizes(operation, nnz, m);
    operation.need(rows, offsets);
    operation.line(false, rows, nnz, kIndex);
    operation.line(true, offsets, std::int64_t{m} + 1, kIndex);
    return operation.submit([=] { numerics::compress_indices(rows, nnz, m, base, offsets); });
  });
}
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* order) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    need_sizes(operation, n);
    if (n > 0) operation.need(order);
    operation.line(true, order, n, kIndex);
    return operation.submit([=] { std::iota(order, order + n, 0); });
  });
}
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int*, const int*,
                                                size_t* size) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    return sort_size(operation, {m, n, nnz}, size);
  });
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int* rows, int* columns,
                                       int* order, void*) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    return sort_coo(operation, {m, n, nnz}, rows, columns, order);
  });
}
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz, int* rows, int* columns,
                                          int* order, void*) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    return sort_coo(operation, {m, n, nnz}, columns, rows, order);
  });
}
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int*, const int*,
                                                size_t* size) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    return sort_size(operation, {m, n, nnz}, size);
  });
}
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int, int nnz, cusparseMatDescr_t descr,
                                  const int* offsets, int* columns, int* order, void*) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    return sort_compressed(operation, m, nnz, descr, offsets, columns, order);
  });
}
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int*, const int*,
                                                size_t* size) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    return sort_size(operation, {m, n, nnz}, size);
  });
}
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int, int n, int nnz, cusparseMatDescr_t descr,
                                  const int* offsets, int* rows, int* order, void*) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    return sort_compressed(operation, n, nnz, descr, offsets, rows, order);
  });
}
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz, const void*,
                                               const int* offsets, const int*, void* values, int* column_offsets,
                                               int* rows, cudaDataType type, cusparseAction_t, cusparseIndexBase_t,
                                               cusparseCsr2CscAlg_t, size_t* size) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    check_to_columns(operation, {m, n, nnz}, offsets, {values, column_offsets, rows}, type);
    return put_buffer_size(operation, size);
  });
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void* values,
                                    const int* offsets, const int* columns, void* column_values, int* column_offsets,
                                    int* rows, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
                                    cusparseCsr2CscAlg_t, void*) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    return to_columns(operation, {m, n, nnz}, values, offsets, columns, {column_values, column_offsets, rows}, type,
                      action, base);
  });
}
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n, cusparseMatDescr_t descr_a, int nnz_a,
                                      const int* offsets_a, const int* columns_a, cusparseMatDescr_t descr_b, int nnz_b,
                                      const int* offsets_b, const int* columns_b, cusparseMatDescr_t descr_c,
                                      int* offsets_c, int* total, void*) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    return count_sum(operation, m, n, {descr_a, nnz_a, nullptr, offsets_a, columns_a},
                     {descr_b, nnz_b, nullptr, offsets_b, columns_b}, {descr_c, 0, nullptr, offsets_c, nullptr}, total);
  });
}

#define WARPFIBER_ARRAYS(t, T)                                                                                         \
  cusparseStatus_t cusparse##t##csrgeam2_bufferSizeExt(                                                                \
      cusparseHandle_t handle, int m, int n, const T* alpha, cusparseMatDescr_t descr_a, int nnz_a, const T* values_a, \
      const int* offsets_a, const int* columns_a, const T* beta, cusparseMatDescr_t descr_b, int nnz_b,                \
      const T* values_b, const int* offsets_b, const int* columns_b, cusparseMatDescr_t descr_c, const T* values_c,    \
      const int* offsets_c, const int* columns_c, size_t* size) {                                                      \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                         \
      check_sum(operation, m, n, {descr_a, nnz_a, values_a, offsets_a, columns_a},                                     \
                {descr_b, nnz_b, values_b, offsets_b, columns_b}, {descr_c, 0, values_c, offsets_c, columns_c});       \
      operation.need(alpha, beta);                                                                                     \
      return put_buffer_size(operation, size);                                                                         \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##t##csrgeam2(                                                                              \
      cusparseHandle_t handle, int m, int n, const T* alpha, cusparseMatDescr_t descr_a, int nnz_a, const T* values_a, \
      const int* offsets_a, const int* columns_a, const T* beta, cusparseMatDescr_t descr_b, int nnz_b,                \
      const T* values_b, const int* offsets_b, const int* columns_b, cusparseMatDescr_t descr_c, T* values_c,          \
      int* offsets_c, int* columns_c, void*) {                                                                         \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                         \
      return add<T>(operation, m, n, alpha, {descr_a, nnz_a, values_a, offsets_a, columns_a}, beta,                    \
                    {descr_b, nnz_b, values_b, offsets_b, columns_b}, {descr_c, 0, values_c, offsets_c, columns_c});   \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##t##nnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,              \
                                    cusparseMatDescr_t descr, const T* values, int lda, int* counts, int* total) {     \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                         \
      return count_numbers<T>(operation, direction, m, n, descr, values, lda, counts, total);                          \
    });                                                                                                                \
  }
WARPFIBER_ARRAYS(S, float)
WARPFIBER_ARRAYS(D, double)
WARPFIBER_ARRAYS(C, float2)
WARPFIBER_ARRAYS(Z, double2)
#undef WARPFIBER_ARRAYS

}  // extern "C"
