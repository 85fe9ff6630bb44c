// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions of matrices, with wrong arguments (README.md).
#include "blas.h"

namespace {

void plain(Probe& probe, const Arguments& usual, const Arguments& with_null) {
  CALL_ALL(gemv, "handle trans m n alpha A lda x incx beta y incy");
  CALL_ALL(trsv, "handle uplo trans diag n A lda x incx");
  CALL_ALL(trmv, "handle uplo trans diag n A lda x incx");
  CALL_ALL(symv, "handle uplo n alpha A lda x incx beta y incy");
  CALL_BOTH(Chemv, "handle uplo n alpha A lda x incx beta y incy");
  CALL_BOTH(Zhemv, "handle uplo n alpha A lda x incx beta y incy");
  const char* const ger = "handle m n alpha x incx y incy A lda";
  probe.know(with_null);
  CALL(Sger, ger);
  probe.know(usual);
  CALL(Sger_64, ger), CALL_BOTH(Dger, ger), CALL_BOTH(Cgeru, ger), CALL_BOTH(Cgerc, ger), CALL_BOTH(Zgeru, ger);
  CALL_BOTH(Zgerc, ger);
  CALL_ALL(syr, "handle uplo n alpha x incx A lda");
  CALL_ALL(syr2, "handle uplo n alpha x incx y incy A lda");
  CALL_BOTH(Cher, "handle uplo n alpha x incx A lda");
  CALL_BOTH(Zher, "handle uplo n alpha x incx A lda");
  CALL_BOTH(Cher2, "handle uplo n alpha x incx y incy A lda");
  CALL_BOTH(Zher2, "handle uplo n alpha x incx y incy A lda");
}

void bands_and_packed(Probe& probe, const Arguments& usual, const Arguments& with_null) {
  CALL_ALL(gbmv, "handle trans m n kl ku alpha A lda x incx beta y incy");
  CALL_ALL(tbmv, "handle uplo trans diag n diagonals A lda x incx");
  CALL_ALL(tbsv, "handle uplo trans diag n diagonals A lda x incx");
  CALL_ALL(tpmv, "handle uplo trans diag n AP x incx");
  CALL_ALL(tpsv, "handle uplo trans diag n AP x incx");
  CALL_TYPES(tpttr, "handle uplo n AP A lda");
  CALL_TYPES(trttp, "handle uplo n A lda AP");
  const char* const bmv = "handle uplo n diagonals alpha A lda x incx beta y incy";
  const char* const pmv = "handle uplo n alpha AP x incx beta y incy";
  const char* const pr = "handle uplo n alpha x incx AP";
  const char* const pr2 = "handle uplo n alpha x incx y incy AP";
  probe.know(with_null);
  CALL(Ssbmv, bmv), CALL(Sspmv, pmv), CALL(Sspr, pr), CALL(Sspr2, pr2);
  probe.know(usual);
  CALL(Ssbmv_64, bmv), CALL_BOTH(Dsbmv, bmv), CALL_BOTH(Chbmv, bmv), CALL_BOTH(Zhbmv, bmv);
  CALL(Sspmv_64, pmv), CALL_BOTH(Dspmv, pmv), CALL_BOTH(Chpmv, pmv), CALL_BOTH(Zhpmv, pmv);
  CALL(Sspr_64, pr), CALL_BOTH(Dspr, pr), CALL_BOTH(Chpr, pr), CALL_BOTH(Zhpr, pr);
  CALL(Sspr2_64, pr2), CALL_BOTH(Dspr2, pr2), CALL_BOTH(Chpr2, pr2), CALL_BOTH(Zhpr2, pr2);
}

void products(Probe& probe, const Arguments& usual, const Arguments& with_null) {
  CALL_ALL(gemm, "handle transa transb m n k alpha A lda B ldb beta C ldc");
  CALL_BOTH(Hgemm, "handle transa transb m n k alpha A lda B ldb beta C ldc");
  CALL_ALL(symm, "handle side uplo m n alpha A lda B ldb beta C ldc");
  CALL_BOTH(Chemm, "handle side uplo m n alpha A lda B ldb beta C ldc");
  CALL_BOTH(Zhemm, "handle side uplo m n alpha A lda B ldb beta C ldc");
  CALL_ALL(syrk, "handle uplo trans n k alpha A lda beta C ldc");
  CALL_BOTH(Cherk, "handle uplo trans n k alpha A lda beta C ldc");
  CALL_BOTH(Zherk, "handle uplo trans n k alpha A lda beta C ldc");
  const char* const two = "handle uplo trans n k alpha A lda B ldb beta C ldc";
  CALL_ALL(syr2k, two);
  CALL_ALL(syrkx, two);
  CALL_BOTH(Cher2k, two), CALL_BOTH(Zher2k, two), CALL_BOTH(Cherkx, two), CALL_BOTH(Zherkx, two);
  CALL_ALL(trsm, "handle side uplo trans diag m n alpha A lda B ldb");
  CALL_ALL(trmm, "handle side uplo trans diag m n alpha A lda B ldb C ldc");
  CALL_ALL(geam, "handle transa transb m n alpha A lda beta B ldb C ldc");
  CALL_ALL(dgmm, "handle side m n A lda x incx C ldc");
}

// NVIDIA's header overloads these.
cublasStatus_t gemm_ex(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                       const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
                       cudaDataType b_type, int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                       cublasComputeType_t sums, cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc, sums,
                      algorithm);
}
cublasStatus_t gemm_strided_ex(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                               int k, const void* alpha, const void* a, cudaDataType a_type, int lda, long long a_stride,
                               const void* b, cudaDataType b_type, int ldb, long long b_stride, const void* beta,
                               void* c, cudaDataType c_type, int ldc, long long c_stride, int batch,
                               cublasComputeType_t sums, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, a_stride, b, b_type, ldb,
                                    b_stride, beta, c, c_type, ldc, c_stride, batch, sums, algorithm);
}
cublasStatus_t gemm_batched_ex(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                               int k, const void* alpha, const void* const a[], cudaDataType a_type, int lda,
                               const void* const b[], cudaDataType b_type, int ldb, const void* beta, void* const c[],
                               cudaDataType c_type, int ldc, int batch, cublasComputeType_t sums,
                               cublasGemmAlgo_t algorithm) {
  return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc,
                             batch, sums, algorithm);
}

void batches(Probe& probe, const Arguments& usual, const Arguments& with_null) {
  const char* const strided =
      "handle transa transb m n k alpha A lda strideA B ldb strideB beta C ldc strideC batch";
  const char* const by_address = "handle transa transb m n k alpha Aarray lda Barray ldb beta Carray ldc batch";
  CALL_ALL(gemmStridedBatched, strided);
  CALL_ALL(gemmBatched, by_address);
  CALL_BOTH(HgemmStridedBatched, strided);
  CALL_BOTH(HgemmBatched, by_address);
  CALL_TYPES(getrfBatched, "handle n Aarray lda pivots dinfo batch");
  CALL_TYPES(getrsBatched, "handle trans n nrhs Aarray lda pivots Barray ldb info batch");
  CALL_TYPES(getriBatched, "handle n Aarray lda pivots Carray ldc dinfo batch");
  CALL_TYPES(matinvBatched, "handle n Aarray lda Carray ldc dinfo batch");
  CALL_TYPES(trsmBatched, "handle side uplo trans diag m n alpha Aarray lda Barray ldb batch");
  probe.know(with_null);
  CALL(SgemmEx, "handle transa transb m n k alpha A type lda B type ldb beta C type ldc");
  probe("cublasGemmEx", gemm_ex, "handle transa transb m n k alpha A type lda B type ldb beta C type ldc sums algorithm");
  probe("cublasGemmStridedBatchedEx", gemm_strided_ex,
        "handle transa transb m n k alpha A type lda strideA B type ldb strideB beta C type ldc strideC batch sums "
        "algorithm");
  probe("cublasGemmBatchedEx", gemm_batched_ex,
        "handle transa transb m n k alpha Aarray type lda Barray type ldb beta Carray type ldc batch sums algorithm");
}

}  // namespace

void probe_matrices(Probe& probe) {
  cublasHandle_t handle = nullptr;
  cublasCreate(&handle);
  const Arguments usual = blas_arguments(handle, false), with_null = blas_arguments(handle, true);
  plain(probe, usual, with_null);
  bands_and_packed(probe, usual, with_null);
  products(probe, usual, with_null);
}

void probe_batches(Probe& probe) {
  cublasHandle_t handle = nullptr;
  cublasCreate(&handle);
  batches(probe, blas_arguments(handle, false), blas_arguments(handle, true));
}
