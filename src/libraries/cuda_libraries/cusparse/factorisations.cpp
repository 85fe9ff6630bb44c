// SPDX-License-Identifier: Apache-2.0
// Incomplete factorisations of matrices that are given by their arrays.
#include "cuda_libraries/cusparse/arrays.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using device_memory::Wait;
using numerics::SparseMatrix;

struct FactorArrays {
  int rows;
  int entries;
  const cusparseMatDescr* descr;
  const void* values;
  const int* offsets;
  const int* columns;
};

void check_arrays(SparseOperation& operation, const FactorArrays& of, const IncompleteFactors* info) {
  need_sizes(operation, of.rows, of.entries);
  operation.need(of.descr, of.offsets, info);
  if (of.entries > 0) operation.need(of.values, of.columns);
}

template <class T>
SparseMatrix matrix_of(const FactorArrays& of) {
  return csr_arrays({of.rows, of.rows, of.entries}, *of.descr, static_cast<const T*>(of.values), of.offsets,
                    of.columns);
}

/// A pivot that is not there is known from now on.
template <class T>
SparseResult analyse(SparseOperation& operation, const FactorArrays& of, IncompleteFactors* info) {
  check_arrays(operation, of, info);
  if (operation.failed()) return operation.result();
  const SparseMatrix matrix = matrix_of<T>(of);
  operation.reads(matrix);
  info->analysed = true;
  info->base = matrix.base;
  return operation.submit([matrix, zero = info->zero_pivot] { *zero = numerics::row_without_diagonal(matrix); });
}

template <class T, class Factorise>
SparseResult factorise(SparseOperation& operation, const FactorArrays& of, IncompleteFactors* info,
                       const char* analysis, Factorise work) {
  check_arrays(operation, of, info);
  if (!operation.failed() && !info->analysed) {
    operation.fail({CUSPARSE_STATUS_INTERNAL_ERROR, {ReasonKind::sparse_call_missing, analysis}});
  }
  if (operation.failed()) return operation.result();
  const SparseMatrix matrix = matrix_of<T>(of);
  operation.reads(matrix);
  operation.values(true, matrix);
  return operation.submit([matrix, work, zero = info->zero_pivot] { *zero = work(matrix); });
}

/// Waits for the factorisation. The position has the matrix' base.
SparseResult zero_pivot(SparseOperation& operation, const IncompleteFactors* info, int* position,
                        const char* analysis) {
  operation.need(info, position);
  if (!operation.failed() && !info->analysed) {
    operation.fail(invalid_value({ReasonKind::sparse_call_missing, analysis}));
  }
  if (operation.failed()) return operation.result();
  operation.result_at("position", position, sizeof(int));
  const auto work = [position, zero = info->zero_pivot, base = info->base] {
    *position = static_cast<int>(*zero < 0 ? -1 : *zero + base);
  };
  SparseResult result = operation.submit(work, Wait::yes);
  if (!result.failed() && *info->zero_pivot >= 0) {
    result.status = CUSPARSE_STATUS_ZERO_PIVOT;
    result.is_answer = true;
  }
  return result;
}

constexpr const char* kLuAnalysis = "cusparse<t>csrilu02_analysis";
constexpr const char* kCholeskyAnalysis = "cusparse<t>csric02_analysis";

template <class T>
SparseResult boost_pivots(SparseOperation& operation, IncompleteFactors* info, int enable, const double* tolerance,
                          const T* value) {
  operation.need(info);
  if (enable != 0) operation.need(tolerance, value);
  operation.support(!operation.is_on_device() || enable == 0, ReasonKind::sparse_pivot_on_device);
  if (operation.failed()) return operation.result();
  info->boost = {};
  if (enable != 0) info->boost = {true, *tolerance, operation.scalar(value, type_of_array<T>())};
  return operation.result();
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int* position) {
  return array_operation(
      __func__, handle, [&](SparseOperation& operation) { return zero_pivot(operation, info, position, kLuAnalysis); });
}
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info, int* position) {
  return array_operation(__func__, handle, [&](SparseOperation& operation) {
    return zero_pivot(operation, info, position, kCholeskyAnalysis);
  });
}

#define WARPFIBER_FACTOR(t, T, kind, Info, analysis, work)                                                           \
  cusparseStatus_t cusparse##t##kind##_bufferSize(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr, \
                                                  T* values, const int* offsets, const int* columns, Info info,      \
                                                  int* size) {                                                       \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                       \
      check_arrays(operation, {m, nnz, descr, values, offsets, columns}, info);                                      \
      return put_buffer_size(operation, size);                                                                       \
    });                                                                                                              \
  }                                                                                                                  \
  cusparseStatus_t cusparse##t##kind##_bufferSizeExt(cusparseHandle_t handle, int m, int nnz,                        \
                                                     cusparseMatDescr_t descr, T* values, const int* offsets,        \
                                                     const int* columns, Info info, size_t* size) {                  \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                       \
      check_arrays(operation, {m, nnz, descr, values, offsets, columns}, info);                                      \
      return put_buffer_size(operation, size);                                                                       \
    });                                                                                                              \
  }                                                                                                                  \
  cusparseStatus_t cusparse##t##kind##_analysis(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr,   \
                                                const T* values, const int* offsets, const int* columns, Info info,  \
                                                cusparseSolvePolicy_t, void*) {                                      \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                       \
      return analyse<T>(operation, {m, nnz, descr, values, offsets, columns}, info);                                 \
    });                                                                                                              \
  }                                                                                                                  \
  cusparseStatus_t cusparse##t##kind(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr, T* values,   \
                                     const int* offsets, const int* columns, Info info, cusparseSolvePolicy_t,       \
                                     void*) {                                                                        \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                       \
      return factorise<T>(operation, {m, nnz, descr, values, offsets, columns}, info, analysis, work);               \
    });                                                                                                              \
  }
#define WARPFIBER_FACTORS(t, T)                                                                                    \
  WARPFIBER_FACTOR(t, T, csrilu02, csrilu02Info_t, kLuAnalysis,                                                    \
                   ([boost = info == nullptr ? warpfiber::numerics::PivotBoost{} : info->boost](                   \
                        const SparseMatrix& matrix) { return warpfiber::numerics::factorise_lu(matrix, boost); })) \
  WARPFIBER_FACTOR(t, T, csric02, csric02Info_t, kCholeskyAnalysis, warpfiber::numerics::factorise_cholesky)       \
  cusparseStatus_t cusparse##t##csrilu02_numericBoost(cusparseHandle_t handle, csrilu02Info_t info, int enable,    \
                                                      double* tolerance, T* value) {                               \
    return array_operation(__func__, handle, [&](SparseOperation& operation) {                                     \
      return boost_pivots<T>(operation, info, enable, tolerance, value);                                           \
    });                                                                                                            \
  }
WARPFIBER_FACTORS(S, float)
WARPFIBER_FACTORS(D, double)
WARPFIBER_FACTORS(C, float2)
WARPFIBER_FACTORS(Z, double2)
#undef WARPFIBER_FACTORS
#undef WARPFIBER_FACTOR

}  // extern "C"
