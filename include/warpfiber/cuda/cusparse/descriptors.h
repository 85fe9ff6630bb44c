// SPDX-License-Identifier: Apache-2.0
// Handles and descriptors of cuSPARSE (cuSPARSE Library, "Generic APIs"). Any host thread may
// call; no kernel may. C and C++.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cusparse/types.h>

WARPFIBER_C_BEGIN

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version);
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode);
const char* cusparseGetErrorName(cusparseStatus_t status);
const char* cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descr);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t fill);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t diagonal);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base);
cusparseMatrixType_t cusparseGetMatType(cusparseMatDescr_t descr);
cusparseFillMode_t cusparseGetMatFillMode(cusparseMatDescr_t descr);
cusparseDiagType_t cusparseGetMatDiagType(cusparseMatDescr_t descr);
cusparseIndexBase_t cusparseGetMatIndexBase(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* descr);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr);
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descr);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descr);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* info);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t entries,
                                   void* outer, void* inner, void* values, cusparseIndexType_t outer_type,
                                   cusparseIndexType_t inner_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* entries,
                                void** outer, void** inner, void** values, cusparseIndexType_t* outer_type,
                                cusparseIndexType_t* inner_type, cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t entries,
                                   void* outer, void* inner, void* values, cusparseIndexType_t outer_type,
                                   cusparseIndexType_t inner_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* entries,
                                void** outer, void** inner, void** values, cusparseIndexType_t* outer_type,
                                cusparseIndexType_t* inner_type, cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                        int64_t entries, const void* outer, const void* inner, const void* values,
                                        cusparseIndexType_t outer_type, cusparseIndexType_t inner_type,
                                        cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                     int64_t* entries, const void** outer, const void** inner, const void** values,
                                     cusparseIndexType_t* outer_type, cusparseIndexType_t* inner_type,
                                     cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                        int64_t entries, const void* outer, const void* inner, const void* values,
                                        cusparseIndexType_t outer_type, cusparseIndexType_t inner_type,
                                        cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                     int64_t* entries, const void** outer, const void** inner, const void** values,
                                     cusparseIndexType_t* outer_type, cusparseIndexType_t* inner_type,
                                     cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t entries,
                                   void* outer, void* inner, void* values, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* entries,
                                void** outer, void** inner, void** values, cusparseIndexType_t* index,
                                cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t blocks,
                                   int64_t block_rows, int64_t block_columns, void* outer, void* inner, void* values,
                                   cusparseIndexType_t outer_type, cusparseIndexType_t inner_type,
                                   cusparseIndexBase_t base, cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t block,
                                          int64_t width, void* inner, void* values, cusparseIndexType_t index,
                                          cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* block,
                                       int64_t* width, void** inner, void** values, cusparseIndexType_t* index,
                                       cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t entries,
                                         int64_t slots, int64_t slice, void* outer, void* inner, void* values,
                                         cusparseIndexType_t outer_type, cusparseIndexType_t inner_type,
                                         cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                        int64_t entries, const void* outer, const void* inner, const void* values,
                                        cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                     int64_t* entries, const void** outer, const void** inner, const void** values,
                                     cusparseIndexType_t* index, cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCreateConstBsr(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                        int64_t blocks, int64_t block_rows, int64_t block_columns, const void* outer,
                                        const void* inner, const void* values, cusparseIndexType_t outer_type,
                                        cusparseIndexType_t inner_type, cusparseIndexBase_t base, cudaDataType type,
                                        cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                               int64_t block, int64_t width, const void* inner, const void* values,
                                               cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseConstBlockedEllGet(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                            int64_t* block, int64_t* width, const void** inner, const void** values,
                                            cusparseIndexType_t* index, cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseCreateConstSlicedEll(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                              int64_t entries, int64_t slots, int64_t slice, const void* outer,
                                              const void* inner, const void* values, cusparseIndexType_t outer_type,
                                              cusparseIndexType_t inner_type, cusparseIndexBase_t base,
                                              cudaDataType type);
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t matrix, const void** values);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* nnz);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t* base);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           void* data, size_t size);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void* data,
                                           size_t size);
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* count);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t offsets, int64_t entries);
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t entries);
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t offsets, int64_t columns,
                                            int64_t values);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* columns, void* values);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* rows, void* values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* rows, void* columns, void* values);

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values, cudaDataType type);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size, const void* values,
                                          cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values, cudaDataType* type);
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t vector, int64_t* size, const void** values,
                                       cudaDataType* type);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values);
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t vector, const void** values);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t leading,
                                     void* values, cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows, int64_t columns,
                                          int64_t leading, const void* values, cudaDataType type,
                                          cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* leading,
                                  void** values, cudaDataType* type, cusparseOrder_t* order);
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                       int64_t* leading, const void** values, cudaDataType* type,
                                       cusparseOrder_t* order);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values);
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t matrix, const void** values);
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count, int64_t stride);
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int* count, int64_t* stride);
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* vector, int64_t size, int64_t nnz, void* indices,
                                     void* values, cusparseIndexType_t index, cusparseIndexBase_t base,
                                     cudaDataType type);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                          const void* indices, const void* values, cusparseIndexType_t index,
                                          cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t* size, int64_t* nnz, void** indices,
                                  void** values, cusparseIndexType_t* index, cusparseIndexBase_t* base,
                                  cudaDataType* type);
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t vector, int64_t* size, int64_t* nnz,
                                       const void** indices, const void** values, cusparseIndexType_t* index,
                                       cusparseIndexBase_t* base, cudaDataType* type);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector, cusparseIndexBase_t* base);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void** values);
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t vector, const void** values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values);

WARPFIBER_C_END
