// SPDX-License-Identifier: Apache-2.0
// What cuSPARSE computes with matrices that are given by their arrays (cuSPARSE Library, "Preconditioners",
// "Reorderings", "Format Conversion"). Any host thread may call; no kernel may. C and C++.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/api/vector_types.h>
#include <warpfiber/cuda/cusparse/types.h>

WARPFIBER_C_BEGIN

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* offsets, int nnz, int m, int* rows,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* rows, int nnz, int m, int* offsets,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* order);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int* rows,
                                                const int* columns, size_t* size);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int* rows, int* columns,
                                       int* order, void* buffer);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz, int* rows, int* columns,
                                          int* order, void* buffer);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int* rows,
                                                const int* columns, size_t* size);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int size, int nnz, cusparseMatDescr_t descr,
                                  const int* offsets, int* columns, int* order, void* buffer);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int* rows,
                                                const int* columns, size_t* size);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int size, int n, int nnz, cusparseMatDescr_t descr,
                                  const int* offsets, int* rows, int* order, void* buffer);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz, const void*,
                                               const int* offsets, const int* indices, void* values,
                                               int* column_offsets, int* rows, cudaDataType type,
                                               cusparseAction_t action, cusparseIndexBase_t base,
                                               cusparseCsr2CscAlg_t alg, size_t* size);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void* values,
                                    const int* offsets, const int* columns, void* column_values, int* column_offsets,
                                    int* rows, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
                                    cusparseCsr2CscAlg_t alg, void* buffer);
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n, cusparseMatDescr_t descr_a, int nnz_a,
                                      const int* offsets_a, const int* columns_a, cusparseMatDescr_t descr_b, int nnz_b,
                                      const int* offsets_b, const int* columns_b, cusparseMatDescr_t descr_c,
                                      int* offsets_c, int* total, void* buffer);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int* position);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info, int* position);

#define WARPFIBER_CUSPARSE_ARRAYS(t, T)                                                                                \
  cusparseStatus_t cusparse##t##csrgeam2_bufferSizeExt(                                                                \
      cusparseHandle_t handle, int m, int n, const T* alpha, cusparseMatDescr_t descr_a, int nnz_a, const T* values_a, \
      const int* offsets_a, const int* columns_a, const T* beta, cusparseMatDescr_t descr_b, int nnz_b,                \
      const T* values_b, const int* offsets_b, const int* columns_b, cusparseMatDescr_t descr_c, const T* values_c,    \
      const int* offsets_c, const int* columns_c, size_t* size);                                                       \
  cusparseStatus_t cusparse##t##csrgeam2(                                                                              \
      cusparseHandle_t handle, int m, int n, const T* alpha, cusparseMatDescr_t descr_a, int nnz_a, const T* values_a, \
      const int* offsets_a, const int* columns_a, const T* beta, cusparseMatDescr_t descr_b, int nnz_b,                \
      const T* values_b, const int* offsets_b, const int* columns_b, cusparseMatDescr_t descr_c, T* values_c,          \
      int* offsets_c, int* columns_c, void* buffer);                                                                   \
  cusparseStatus_t cusparse##t##nnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,              \
                                    cusparseMatDescr_t descr, const T* values, int lda, int* counts, int* total);      \
  cusparseStatus_t cusparse##t##csrilu02_bufferSize(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr, \
                                                    T* values, const int* offsets, const int* columns,                 \
                                                    csrilu02Info_t info, int* size);                                   \
  cusparseStatus_t cusparse##t##csrilu02_bufferSizeExt(cusparseHandle_t handle, int m, int nnz,                        \
                                                       cusparseMatDescr_t descr, T* values, const int* offsets,        \
                                                       const int* columns, csrilu02Info_t info, size_t* size);         \
  cusparseStatus_t cusparse##t##csrilu02_analysis(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr,   \
                                                  const T* values, const int* offsets, const int* columns,             \
                                                  csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);    \
  cusparseStatus_t cusparse##t##csrilu02(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr, T* values, \
                                         const int* offsets, const int* columns, csrilu02Info_t info,                  \
                                         cusparseSolvePolicy_t policy, void* buffer);                                  \
  cusparseStatus_t cusparse##t##csric02_bufferSize(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr,  \
                                                   T* values, const int* offsets, const int* columns,                  \
                                                   csric02Info_t info, int* size);                                     \
  cusparseStatus_t cusparse##t##csric02_bufferSizeExt(cusparseHandle_t handle, int m, int nnz,                         \
                                                      cusparseMatDescr_t descr, T* values, const int* offsets,         \
                                                      const int* columns, csric02Info_t info, size_t* size);           \
  cusparseStatus_t cusparse##t##csric02_analysis(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr,    \
                                                 const T* values, const int* offsets, const int* columns,              \
                                                 csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);      \
  cusparseStatus_t cusparse##t##csric02(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descr, T* values,  \
                                        const int* offsets, const int* columns, csric02Info_t info,                    \
                                        cusparseSolvePolicy_t policy, void* buffer);                                   \
  cusparseStatus_t cusparse##t##csrilu02_numericBoost(cusparseHandle_t handle, csrilu02Info_t info, int enable,        \
                                                      double* tolerance, T* value);                                    \
  cusparseStatus_t cusparse##t##gtsv2_bufferSizeExt(cusparseHandle_t handle, int m, int n, const T* dl, const T* d,    \
                                                    const T* du, const T* B, int ldb, size_t* size);                   \
  cusparseStatus_t cusparse##t##gtsv2(cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du,     \
                                      T* B, int ldb, void* buffer);                                                    \
  cusparseStatus_t cusparse##t##gtsv2_nopivot_bufferSizeExt(                                                           \
      cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du, const T* B, int ldb, size_t* size); \
  cusparseStatus_t cusparse##t##gtsv2_nopivot(cusparseHandle_t handle, int m, int n, const T* dl, const T* d,          \
                                              const T* du, T* B, int ldb, void* buffer);                               \
  cusparseStatus_t cusparse##t##gtsv2StridedBatch_bufferSizeExt(cusparseHandle_t handle, int m, const T* dl,           \
                                                                const T* d, const T* du, const T* x, int count,        \
                                                                int stride, size_t* size);                             \
  cusparseStatus_t cusparse##t##gtsv2StridedBatch(cusparseHandle_t handle, int m, const T* dl, const T* d,             \
                                                  const T* du, T* x, int count, int stride, void* buffer);             \
  cusparseStatus_t cusparse##t##gtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int algorithm, int m,      \
                                                                   const T* dl, const T* d, const T* du, const T* x,   \
                                                                   int count, size_t* size);                           \
  cusparseStatus_t cusparse##t##gtsvInterleavedBatch(cusparseHandle_t handle, int algorithm, int m, T* dl, T* d,       \
                                                     T* du, T* x, int count, void* buffer);                            \
  cusparseStatus_t cusparse##t##gpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t handle, int algorithm, int m,      \
                                                                   const T* ds, const T* dl, const T* d, const T* du,  \
                                                                   const T* dw, const T* x, int count, size_t* size);  \
  cusparseStatus_t cusparse##t##gpsvInterleavedBatch(cusparseHandle_t handle, int algorithm, int m, T* ds, T* dl,      \
                                                     T* d, T* du, T* dw, T* x, int count, void* buffer);

WARPFIBER_CUSPARSE_ARRAYS(S, float)
WARPFIBER_CUSPARSE_ARRAYS(D, double)
WARPFIBER_CUSPARSE_ARRAYS(C, float2)
WARPFIBER_CUSPARSE_ARRAYS(Z, double2)

#undef WARPFIBER_CUSPARSE_ARRAYS

WARPFIBER_C_END
