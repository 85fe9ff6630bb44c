// SPDX-License-Identifier: Apache-2.0
// Descriptors of sparse matrices. Statuses are those that cuSPARSE 12.6 returned on an H200.
#include <cstring>

#include "cuda_libraries/cusparse/descriptors.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using numerics::SparseFormat;
using numerics::SparseMatrix;

constexpr cusparseIndexType_t kNarrow = CUSPARSE_INDEX_32I, kWide = CUSPARSE_INDEX_64I;

bool is_index(cusparseIndexType_t type) {
  return type == kNarrow || type == kWide;
}

cusparseIndexType_t index_type(bool is_64) {
  return is_64 ? kWide : kNarrow;
}

struct IndexTypes {
  cusparseIndexType_t outer;
  cusparseIndexType_t inner;
  cusparseIndexBase_t base;
};

SparseResult create_sparse(cusparseSpMatDescr** result, SparseMatrix matrix, const IndexTypes& types,
                           cudaDataType type) {
  if (matrix.rows < 0 || matrix.columns < 0 || matrix.entries < 0)
    return invalid_value(ReasonKind::sparse_size_negative);
  if (matrix.entries > matrix.rows * matrix.columns) return invalid_value(ReasonKind::sparse_too_many_entries);
  if (!exists(types.outer) || !exists(types.inner) || !exists(types.base) || !is_type(type))
    return invalid_value(ReasonKind::sparse_choice_unknown);
  if (!is_index(types.outer) || types.outer != types.inner)
    return {CUSPARSE_STATUS_NOT_SUPPORTED, ReasonKind::sparse_index_types};
  matrix.outer_is_64 = types.outer == kWide;
  matrix.inner_is_64 = types.inner == kWide;
  matrix.base = types.base;
  // Of a type that is not modelled the operations say so; until then any will do.
  matrix.kind = value_kind_of(type).value_or(numerics::NumberKind::float32);
  return create_object<cusparseStatus_t>(result, {matrix, type});
}

/// Sizes are those of the blocks' rows and columns.
struct BlockShape {
  std::int64_t block_rows;
  std::int64_t block_columns;
  cusparseOrder_t order;
};

SparseResult create_blocks(cusparseSpMatDescr** result, SparseMatrix matrix, const BlockShape& shape,
                           const IndexTypes& types, cudaDataType type) {
  if (shape.block_rows < 1 || shape.block_columns < 1) return invalid_value(ReasonKind::sparse_block_empty);
  if (!exists(shape.order)) return invalid_value(ReasonKind::sparse_choice_unknown);
  if (matrix.rows < 0 || matrix.columns < 0 || matrix.entries < 0)
    return invalid_value(ReasonKind::sparse_size_negative);
  matrix.format = SparseFormat::bsr;
  matrix.rows *= shape.block_rows;
  matrix.columns *= shape.block_columns;
  matrix.entries *= shape.block_rows * shape.block_columns;
  matrix.block_rows = shape.block_rows;
  matrix.block_columns = shape.block_columns;
  matrix.block_by_row = shape.order == CUSPARSE_ORDER_ROW;
  return create_sparse(result, matrix, types, type);
}

SparseResult create_blocked_ell(cusparseSpMatDescr** result, SparseMatrix matrix, const IndexTypes& types,
                                cudaDataType type) {
  matrix.format = SparseFormat::blocked_ell;
  if (matrix.block_rows < 1) return invalid_value(ReasonKind::sparse_block_empty);
  if (matrix.rows < 0 || matrix.columns < 0 || matrix.row_width < 0)
    return invalid_value(ReasonKind::sparse_size_negative);
  if (matrix.row_width > matrix.columns) return invalid_value(ReasonKind::sparse_row_too_wide);
  matrix.block_columns = matrix.block_rows;
  matrix.entries = matrix.rows * matrix.row_width;
  return create_sparse(result, matrix, types, type);
}

SparseResult create_slices(cusparseSpMatDescr** result, SparseMatrix matrix, const IndexTypes& types,
                           cudaDataType type) {
  matrix.format = SparseFormat::sliced_ell;
  if (matrix.block_rows < 1) return invalid_value(ReasonKind::sparse_slice_empty);
  if (matrix.slots < matrix.entries) return invalid_value(ReasonKind::sparse_too_few_values);
  return create_sparse(result, matrix, types, type);
}

SparseResult set_pointers(cusparseSpMatDescr* matrix, SparseFormat format, const void* outer, const void* inner,
                          const void* values) {
  if (matrix == nullptr) return null_pointer();
  if (matrix->matrix.format != format) return invalid_value(ReasonKind::sparse_format_not_taken);
  matrix->matrix.outer = outer;
  matrix->matrix.inner = inner;
  matrix->matrix.values = values;
  return {};
}

/// As cuSPARSE returns them, whose number for blocked_ell is not that of the values.
std::int64_t entries_of(const SparseMatrix& matrix) {
  if (matrix.format != SparseFormat::blocked_ell) return matrix.entries;
  return matrix.rows * matrix.columns * matrix.block_rows;
}

/// Where the parts of a descriptor go; `outer` and `outer_type` may be missing.
template <class Pointer>
struct SparseParts {
  std::int64_t* rows;
  std::int64_t* columns;
  std::int64_t* entries;
  Pointer* outer;
  Pointer* inner;
  Pointer* values;
  cusparseIndexType_t* outer_type;
  cusparseIndexType_t* inner_type;
  cusparseIndexBase_t* base;
  cudaDataType* type;
};

template <class Pointer>
SparseResult get_parts(const cusparseSpMatDescr* of, SparseFormat format, const SparseParts<Pointer>& to) {
  if (of == nullptr || to.rows == nullptr || to.columns == nullptr || to.entries == nullptr || to.outer == nullptr ||
      to.inner == nullptr || to.values == nullptr || to.outer_type == nullptr || to.inner_type == nullptr ||
      to.base == nullptr || to.type == nullptr) {
    return null_pointer();
  }
  const SparseMatrix& matrix = of->matrix;
  if (matrix.format != format) return invalid_value(ReasonKind::sparse_format_not_taken);
  *to.rows = matrix.rows;
  *to.columns = matrix.columns;
  *to.entries = matrix.entries;
  *to.outer = const_cast<void*>(matrix.outer);
  *to.inner = const_cast<void*>(matrix.inner);
  *to.values = const_cast<void*>(matrix.values);
  *to.outer_type = index_type(matrix.outer_is_64);
  *to.inner_type = index_type(matrix.inner_is_64);
  *to.base = static_cast<cusparseIndexBase_t>(matrix.base);
  *to.type = of->type;
  return {};
}

template <class Pointer>
SparseResult get_blocked_ell(const cusparseSpMatDescr* of, std::int64_t* rows, std::int64_t* columns,
                             std::int64_t* block, std::int64_t* width, Pointer* inner, Pointer* values,
                             cusparseIndexType_t* index, cusparseIndexBase_t* base, cudaDataType* type) {
  if (block == nullptr || width == nullptr) return null_pointer();
  std::int64_t entries = 0;
  Pointer outer{};
  cusparseIndexType_t outer_type{};
  const SparseParts<Pointer> parts{rows, columns, &entries, &outer, inner, values, &outer_type, index, base, type};
  const SparseResult result = get_parts(of, SparseFormat::blocked_ell, parts);
  if (result.failed()) return result;
  *block = of->matrix.block_rows;
  *width = of->matrix.row_width;
  return result;
}

struct BatchStrides {
  std::int64_t outer;
  std::int64_t inner;
  std::int64_t values;
};

SparseResult set_batch(cusparseSpMatDescr* matrix, SparseFormat format, int count, const BatchStrides& strides) {
  if (matrix == nullptr) return null_pointer();
  if (matrix->matrix.format != format) return invalid_value(ReasonKind::sparse_format_not_taken);
  if (count < 1) return invalid_value(ReasonKind::sparse_batch_empty);
  const SparseMatrix& of = matrix->matrix;
  const auto fits = [](std::int64_t stride, std::int64_t least) { return stride == 0 || stride >= least; };
  if (!fits(strides.outer, of.outer_count()) || !fits(strides.inner, of.inner_count()) ||
      !fits(strides.values, of.entries)) {
    return invalid_value(ReasonKind::sparse_stride_too_small);
  }
  matrix->matrix.batch = count;
  matrix->matrix.outer_stride = strides.outer;
  matrix->matrix.inner_stride = strides.inner;
  matrix->matrix.value_stride = strides.values;
  return {};
}

/// Where an attribute is in the descriptor; null: there is no such attribute.
template <class Descriptor>
auto* attribute_of(Descriptor* matrix, cusparseSpMatAttribute_t attribute) {
  using Byte = std::conditional_t<std::is_const_v<Descriptor>, const std::byte, std::byte>;
  switch (attribute) {
    case CUSPARSE_SPMAT_FILL_MODE: return reinterpret_cast<Byte*>(&matrix->fill);
    case CUSPARSE_SPMAT_DIAG_TYPE: return reinterpret_cast<Byte*>(&matrix->diagonal);
  }
  return static_cast<Byte*>(nullptr);
}

template <class Descriptor, class Data>
SparseResult move_attribute(Descriptor* matrix, cusparseSpMatAttribute_t attribute, Data* data, std::size_t size) {
  if (matrix == nullptr || data == nullptr) return null_pointer();
  auto* const place = attribute_of(matrix, attribute);
  if (place == nullptr) return invalid_value(ReasonKind::sparse_attribute_unknown);
  if (size != sizeof(int)) return invalid_value(ReasonKind::sparse_attribute_size);
  if constexpr (std::is_const_v<Descriptor>) {
    std::memcpy(data, place, size);
  } else {
    std::memcpy(place, data, size);
  }
  return {};
}

cusparseSpMatDescr** plain(cusparseConstSpMatDescr_t* matrix) {
  return const_cast<cusparseSpMatDescr**>(matrix);
}
cusparseSpMatDescr** plain(cusparseSpMatDescr_t* matrix) {
  return matrix;
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

#define WARPFIBER_COMPRESSED(Kind, Get, format, Descriptor, Pointer)                                                   \
  cusparseStatus_t cusparseCreate##Kind(Descriptor* matrix, int64_t rows, int64_t columns, int64_t entries,            \
                                        Pointer outer, Pointer inner, Pointer values, cusparseIndexType_t outer_type,  \
                                        cusparseIndexType_t inner_type, cusparseIndexBase_t base, cudaDataType type) { \
    return sparse_call(__func__, [&] {                                                                                 \
      return create_sparse(plain(matrix), {format, rows, columns, entries, outer, inner, values},                      \
                           {outer_type, inner_type, base}, type);                                                      \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##Get(Descriptor matrix, int64_t* rows, int64_t* columns, int64_t* entries, Pointer* outer, \
                                 Pointer* inner, Pointer* values, cusparseIndexType_t* outer_type,                     \
                                 cusparseIndexType_t* inner_type, cusparseIndexBase_t* base, cudaDataType* type) {     \
    return sparse_call(__func__, [&] {                                                                                 \
      return get_parts<Pointer>(matrix, format,                                                                        \
                                {rows, columns, entries, outer, inner, values, outer_type, inner_type, base, type});   \
    });                                                                                                                \
  }
#define WARPFIBER_OTHERS(Prefix, Descriptor, Pointer)                                                                  \
  cusparseStatus_t cusparseCreate##Prefix##Coo(                                                                        \
      Descriptor* matrix, int64_t rows, int64_t columns, int64_t entries, Pointer outer, Pointer inner,                \
      Pointer values, cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type) {                        \
    return sparse_call(__func__, [&] {                                                                                 \
      return create_sparse(plain(matrix), {SparseFormat::coo, rows, columns, entries, outer, inner, values},           \
                           {index, index, base}, type);                                                                \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##Prefix##CooGet(                                                                           \
      Descriptor matrix, int64_t* rows, int64_t* columns, int64_t* entries, Pointer* outer, Pointer* inner,            \
      Pointer* values, cusparseIndexType_t* index, cusparseIndexBase_t* base, cudaDataType* type) {                    \
    return sparse_call(__func__, [&] {                                                                                 \
      return get_parts<Pointer>(matrix, SparseFormat::coo,                                                             \
                                {rows, columns, entries, outer, inner, values, index, index, base, type});             \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparseCreate##Prefix##Bsr(                                                                        \
      Descriptor* matrix, int64_t rows, int64_t columns, int64_t blocks, int64_t block_rows, int64_t block_columns,    \
      Pointer outer, Pointer inner, Pointer values, cusparseIndexType_t outer_type, cusparseIndexType_t inner_type,    \
      cusparseIndexBase_t base, cudaDataType type, cusparseOrder_t order) {                                            \
    return sparse_call(__func__, [&] {                                                                                 \
      return create_blocks(plain(matrix), {SparseFormat::bsr, rows, columns, blocks, outer, inner, values},            \
                           {block_rows, block_columns, order}, {outer_type, inner_type, base}, type);                  \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparseCreate##Prefix##BlockedEll(                                                                 \
      Descriptor* matrix, int64_t rows, int64_t columns, int64_t block, int64_t width, Pointer inner, Pointer values,  \
      cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type) {                                        \
    return sparse_call(__func__, [&] {                                                                                 \
      SparseMatrix made{SparseFormat::blocked_ell, rows, columns, 0, nullptr, inner, values};                          \
      made.block_rows = block;                                                                                         \
      made.row_width = width;                                                                                          \
      return create_blocked_ell(plain(matrix), made, {index, index, base}, type);                                      \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##Prefix##BlockedEllGet(                                                                    \
      Descriptor matrix, int64_t* rows, int64_t* columns, int64_t* block, int64_t* width, Pointer* inner,              \
      Pointer* values, cusparseIndexType_t* index, cusparseIndexBase_t* base, cudaDataType* type) {                    \
    return sparse_call(__func__, [&] {                                                                                 \
      return get_blocked_ell(matrix, rows, columns, block, width, inner, values, index, base, type);                   \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparseCreate##Prefix##SlicedEll(                                                                  \
      Descriptor* matrix, int64_t rows, int64_t columns, int64_t entries, int64_t slots, int64_t slice, Pointer outer, \
      Pointer inner, Pointer values, cusparseIndexType_t outer_type, cusparseIndexType_t inner_type,                   \
      cusparseIndexBase_t base, cudaDataType type) {                                                                   \
    return sparse_call(__func__, [&] {                                                                                 \
      SparseMatrix made{SparseFormat::sliced_ell, rows, columns, entries, outer, inner, values};                       \
      made.block_rows = slice;                                                                                         \
      made.slots = slots;                                                                                              \
      return create_slices(plain(matrix), made, {outer_type, inner_type, base}, type);                                 \
    });                                                                                                                \
  }                                                                                                                    \
  cusparseStatus_t cusparse##Prefix##SpMatGetValues(Descriptor matrix, Pointer* values) {                              \
    return sparse_call(__func__, [&] {                                                                                 \
      return put(matrix, values, [](const auto& of) { return const_cast<void*>(of.matrix.values); });                  \
    });                                                                                                                \
  }
WARPFIBER_COMPRESSED(Csr, CsrGet, SparseFormat::csr, cusparseSpMatDescr_t, void*)
WARPFIBER_COMPRESSED(Csc, CscGet, SparseFormat::csc, cusparseSpMatDescr_t, void*)
WARPFIBER_COMPRESSED(ConstCsr, ConstCsrGet, SparseFormat::csr, cusparseConstSpMatDescr_t, const void*)
WARPFIBER_COMPRESSED(ConstCsc, ConstCscGet, SparseFormat::csc, cusparseConstSpMatDescr_t, const void*)
WARPFIBER_OTHERS(, cusparseSpMatDescr_t, void*)
WARPFIBER_OTHERS(Const, cusparseConstSpMatDescr_t, const void*)
#undef WARPFIBER_COMPRESSED
#undef WARPFIBER_OTHERS

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  return sparse_call(__func__, [&] { return destroy_object<cusparseStatus_t>(matrix); });
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
  return sparse_call(__func__, [&] {
    if (matrix == nullptr) return null_pointer();
    matrix->matrix.values = values;
    return SparseResult{};
  });
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* nnz) {
  return sparse_call(__func__, [&] {
    if (matrix == nullptr || rows == nullptr || columns == nullptr || nnz == nullptr) return null_pointer();
    *rows = matrix->matrix.rows;
    *columns = matrix->matrix.columns;
    *nnz = entries_of(matrix->matrix);
    return SparseResult{};
  });
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format) {
  return sparse_call(__func__, [&] {
    return put(matrix, format, [](const auto& of) {
      constexpr cusparseFormat_t kFormats[] = {CUSPARSE_FORMAT_CSR,         CUSPARSE_FORMAT_CSC,
                                               CUSPARSE_FORMAT_COO,         CUSPARSE_FORMAT_BSR,
                                               CUSPARSE_FORMAT_BLOCKED_ELL, CUSPARSE_FORMAT_SLICED_ELLPACK};
      return kFormats[static_cast<std::size_t>(of.matrix.format)];
    });
  });
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t* base) {
  return sparse_call(__func__, [&] {
    return put(matrix, base, [](const auto& of) { return static_cast<cusparseIndexBase_t>(of.matrix.base); });
  });
}
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           void* data, size_t size) {
  return sparse_call(__func__, [&] { return move_attribute(matrix, attribute, data, size); });
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void* data,
                                           size_t size) {
  return sparse_call(__func__, [&] { return move_attribute(matrix, attribute, data, size); });
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* count) {
  return sparse_call(__func__, [&] { return put(matrix, count, [](const auto& of) { return of.matrix.batch; }); });
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t offsets, int64_t entries) {
  return sparse_call(__func__, [&] {
    return set_batch(matrix, SparseFormat::csr, count, {offsets, entries, entries});
  });
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t entries) {
  return sparse_call(__func__, [&] {
    return set_batch(matrix, SparseFormat::coo, count, {entries, entries, entries});
  });
}
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t offsets, int64_t columns,
                                            int64_t values) {
  return sparse_call(__func__, [&] { return set_batch(matrix, SparseFormat::bsr, count, {offsets, columns, values}); });
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* columns, void* values) {
  return sparse_call(__func__, [&] { return set_pointers(matrix, SparseFormat::csr, offsets, columns, values); });
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* rows, void* values) {
  return sparse_call(__func__, [&] { return set_pointers(matrix, SparseFormat::csc, offsets, rows, values); });
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* rows, void* columns, void* values) {
  return sparse_call(__func__, [&] { return set_pointers(matrix, SparseFormat::coo, rows, columns, values); });
}

}  // extern "C"
