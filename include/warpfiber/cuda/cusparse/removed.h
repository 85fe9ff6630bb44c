// SPDX-License-Identifier: Apache-2.0
// What CUDA has removed from cuSPARSE since CUDA 8: functions, which return CUSPARSE_STATUS_NOT_SUPPORTED whatever they
// are called with, their types, and older names of algorithms. C and C++.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cusparse/types.h>

typedef struct cusparseHybMat* cusparseHybMat_t;
typedef struct cusparseSolveAnalysisInfo* cusparseSolveAnalysisInfo_t;
typedef struct csrsv2Info* csrsv2Info_t;
typedef struct csrsm2Info* csrsm2Info_t;
typedef struct csrgemm2Info* csrgemm2Info_t;

typedef enum {
  CUSPARSE_HYB_PARTITION_AUTO = 0,
  CUSPARSE_HYB_PARTITION_USER = 1,
  CUSPARSE_HYB_PARTITION_MAX = 2,
} cusparseHybPartition_t;
typedef enum { CUSPARSE_SIDE_LEFT = 0, CUSPARSE_SIDE_RIGHT = 1 } cusparseSideMode_t;
typedef enum {
  CUSPARSE_ALG0 = 0,
  CUSPARSE_ALG_NAIVE = 0,
  CUSPARSE_ALG1 = 1,
  CUSPARSE_ALG_MERGE_PATH = 1,
} cusparseAlgMode_t;

#define CUSPARSE_MV_ALG_DEFAULT CUSPARSE_SPMV_ALG_DEFAULT
#define CUSPARSE_COOMV_ALG CUSPARSE_SPMV_COO_ALG1
#define CUSPARSE_CSRMV_ALG1 CUSPARSE_SPMV_CSR_ALG1
#define CUSPARSE_CSRMV_ALG2 CUSPARSE_SPMV_CSR_ALG2
#define CUSPARSE_MM_ALG_DEFAULT CUSPARSE_SPMM_ALG_DEFAULT
#define CUSPARSE_COOMM_ALG1 CUSPARSE_SPMM_COO_ALG1
#define CUSPARSE_COOMM_ALG2 CUSPARSE_SPMM_COO_ALG2
#define CUSPARSE_COOMM_ALG3 CUSPARSE_SPMM_COO_ALG3
#define CUSPARSE_CSRMM_ALG1 CUSPARSE_SPMM_CSR_ALG1

// clang-format off
#define WARPFIBER_CUSPARSE_REMOVED_LIST(apply)                                                                    \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, axpyi) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, doti)                  \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, gthr) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, gthrz)                  \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, sctr) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrmv)                  \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrmv_mp) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrsv2_analysis)    \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrsv2_bufferSize)                                                     \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrsv2_bufferSizeExt)                                                  \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrsv2_solve)                                                          \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrsv_analysis)                                                        \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrsv_solve) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, hybmv)           \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, hybsv_analysis)                                                        \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, hybsv_solve) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrmm)           \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrmm2) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrsm2_analysis)      \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrsm2_bufferSizeExt)                                                  \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrsm2_solve)                                                          \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrsm_analysis)                                                        \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrsm_solve) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, gemmi)           \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrgeam) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrgemm)             \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrgemm2)                                                              \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrgemm2_bufferSizeExt)                                                \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csric0) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csrilu0)              \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, gtsv) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, gtsvStridedBatch)       \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, gtsv_nopivot) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csc2dense)      \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csc2hyb) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csr2csc)             \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csr2dense) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, csr2hyb)           \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, dense2csc) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, dense2csr)         \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, dense2hyb) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, hyb2csc)           \
  WARPFIBER_FOR_EACH_TYPE(apply, cusparse, hyb2csr) WARPFIBER_FOR_EACH_TYPE(apply, cusparse, hyb2dense)           \
  apply(cusparseCopyMatDescr) apply(cusparseCreateCsrgemm2Info) apply(cusparseCreateCsrsm2Info)                   \
  apply(cusparseCreateCsrsv2Info) apply(cusparseCreateHybMat) apply(cusparseCreateSolveAnalysisInfo)              \
  apply(cusparseDestroyCsrgemm2Info) apply(cusparseDestroyCsrsm2Info) apply(cusparseDestroyCsrsv2Info)            \
  apply(cusparseDestroyHybMat) apply(cusparseDestroySolveAnalysisInfo) apply(cusparseGetLevelInfo)                \
  apply(cusparseCdotci) apply(cusparseDroti) apply(cusparseSroti) apply(cusparseZdotci) apply(cusparseCsrmvEx)    \
  apply(cusparseCsrmvEx_bufferSize) apply(cusparseCsrsv_analysisEx) apply(cusparseCsrsv_solveEx)                  \
  apply(cusparseXcsrsv2_zeroPivot) apply(cusparseXcsrsm2_zeroPivot) apply(cusparseXcsrgeamNnz)                    \
  apply(cusparseXcsrgemm2Nnz) apply(cusparseXcsrgemmNnz) apply(cusparseCsrilu0Ex) apply(cusparseCsr2cscEx)        \
  apply(cusparseConstrainedGeMM) apply(cusparseConstrainedGeMM_bufferSize) apply(cusparseCooAoSGet)               \
  apply(cusparseCreateCooAoS) apply(cusparseSpMatGetNumBatches) apply(cusparseSpMatSetNumBatches)                 \
  apply(cusparseSpMatSetStridedBatch)
// clang-format on

#define WARPFIBER_CUSPARSE_DECLARE(function) cusparseStatus_t function WARPFIBER_ANY_ARGUMENTS;
WARPFIBER_C_BEGIN
WARPFIBER_CUSPARSE_REMOVED_LIST(WARPFIBER_CUSPARSE_DECLARE)
WARPFIBER_C_END
#undef WARPFIBER_CUSPARSE_DECLARE
