// SPDX-License-Identifier: Apache-2.0
// Products of several types, and what calls of cuBLAS with mistakes return (README.md).
#include <cublas_v2.h>

#include <vector>

#include "recorded.h"

namespace {

template <class In, class Out, class Scale>
void product(cublasHandle_t handle, const char* what, cudaDataType in, cudaDataType out, cublasComputeType_t compute) {
  DeviceArray<In> a(256), b(256, 700);
  DeviceArray<Out> c(256, 900);
  const Scale alpha = Scale(2.0f), beta = Scale(1.0f);
  const auto run = [&](cublasOperation_t ta, cublasOperation_t tb) {
    return cublasGemmEx(handle, ta, tb, 8, 4, 16, &alpha, a, in, 16, b, in, 16, &beta, c, out, 8, compute,
                        CUBLAS_GEMM_DEFAULT);
  };
  show(what, run(CUBLAS_OP_N, CUBLAS_OP_N), c);
  show(what, run(CUBLAS_OP_T, CUBLAS_OP_N), c);
  a.make_integers();
  b.make_integers();
  c.make_integers();
  show(what, run(CUBLAS_OP_T, CUBLAS_OP_N), c);
}

void pairs_of_types(cublasHandle_t handle) {
  const cudaDataType all[] = {CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F,     CUDA_R_64F,     CUDA_R_8I, CUDA_R_32I,
                              CUDA_C_32F, CUDA_C_64F,  CUDA_R_8F_E4M3, CUDA_R_8F_E5M2, CUDA_R_8U};
  const cublasComputeType_t sums[] = {CUBLAS_COMPUTE_16F, CUBLAS_COMPUTE_32F,          CUBLAS_COMPUTE_64F,
                                      CUBLAS_COMPUTE_32I, CUBLAS_COMPUTE_32F_FAST_16F, CUBLAS_COMPUTE_32F_FAST_TF32};
  DeviceArray<double2> a(256), b(256), c(256);
  const double2 zero{};
  for (const cudaDataType in : all) {
    for (const cudaDataType out : all) {
      std::printf("GemmEx types %d %d ->", int(in), int(out));
      for (const cublasComputeType_t sum : sums) {
        std::printf(" %d", int(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 16, 16, 16, &zero, a, in, 16, b, in, 16,
                                            &zero, c, out, 16, sum, CUBLAS_GEMM_DEFAULT)));
      }
      std::printf("\n");
    }
  }
}

void wrong_products(cublasHandle_t handle) {
  const float one = 1;
  DeviceArray<float> x(64);
  const auto gemm = [&](const char* what, int m, int n, int k, int lda, int ldb, int ldc, int ta, const float* alpha) {
    tell(what, cublasSgemm(handle, cublasOperation_t(ta), CUBLAS_OP_N, m, n, k, alpha, x, lda, x, ldb, &one, x, ldc));
  };
  gemm("Sgemm m", -1, 4, 4, 4, 4, 4, 0, &one);
  gemm("Sgemm n", 4, -1, 4, 4, 4, 4, 0, &one);
  gemm("Sgemm k", 4, 4, -1, 4, 4, 4, 0, &one);
  gemm("Sgemm lda", 4, 4, 4, 3, 4, 4, 0, &one);
  gemm("Sgemm ldb", 4, 4, 4, 4, 3, 4, 0, &one);
  gemm("Sgemm ldc", 4, 4, 4, 4, 4, 3, 0, &one);
  gemm("Sgemm lda of T", 4, 4, 5, 4, 5, 4, 1, &one);
  gemm("Sgemm operation", 4, 4, 4, 4, 4, 4, 7, &one);
  gemm("Sgemm operation conjg", 4, 4, 4, 4, 4, 4, 3, &one);
  gemm("Sgemm alpha", 4, 4, 4, 4, 4, 4, 0, nullptr);
  gemm("Sgemm nothing, lda", 0, 4, 4, 0, 4, 4, 0, &one);
  gemm("Sgemm nothing", 0, 4, 4, 4, 4, 4, 0, nullptr);
  gemm("Sgemm nothing, alpha", 0, 4, 4, 1, 4, 1, 0, nullptr);
  tell("Sgemm handle", cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, x, 4, x, 4, &one, x, 4));
  tell("SgemmStridedBatched count",
       cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x, 2, 4, x, 2, 4, &one, x, 2, 4, -1));
}

void wrong_vectors(cublasHandle_t handle) {
  const float one = 1;
  float result = 7;
  DeviceArray<float> x(64);
  tell("Saxpy n", cublasSaxpy(handle, -1, &one, x, 1, x, 1));
  tell("Saxpy steps 0", cublasSaxpy(handle, 4, &one, x, 0, x, 0));
  tell("Sscal n", cublasSscal(handle, -1, &one, x, 1));
  tell("Sscal step", cublasSscal(handle, 4, &one, x, -1));
  tell("Sscal handle", cublasSscal(nullptr, 4, &one, x, 1));
  tell("Sscal handle, n", cublasSscal(nullptr, 0, &one, x, 1));
  say("Sdot n", cublasSdot(handle, -1, x, 1, x, 1, &result), result);
  tell("Sdot result", cublasSdot(handle, 4, x, 1, x, 1, nullptr));
  result = 7;
  say("Snrm2 n", cublasSnrm2(handle, -1, x, 1, &result), result);
  say("Snrm2 step", cublasSnrm2(handle, 4, x, -1, &result), result);
  tell("Sgemv step x", cublasSgemv(handle, CUBLAS_OP_N, 4, 4, &one, x, 4, x, 0, &one, x, 1));
  tell("Sgemv step y", cublasSgemv(handle, CUBLAS_OP_N, 4, 4, &one, x, 4, x, 1, &one, x, 0));
  tell("Sgemv lda", cublasSgemv(handle, CUBLAS_OP_N, 4, 4, &one, x, 3, x, 1, &one, x, 1));
  tell("Sgemv m", cublasSgemv(handle, CUBLAS_OP_N, -1, 4, &one, x, 4, x, 1, &one, x, 1));
  tell("Sger lda", cublasSger(handle, 4, 4, &one, x, 1, x, 1, x, 3));
  tell("Ssyr lda", cublasSsyr(handle, CUBLAS_FILL_MODE_LOWER, 4, &one, x, 1, x, 3));
  tell("Ssyr step", cublasSsyr(handle, CUBLAS_FILL_MODE_LOWER, 4, &one, x, 0, x, 4));
  tell("Ssymv part", cublasSsymv(handle, CUBLAS_FILL_MODE_FULL, 4, &one, x, 4, x, 1, &one, x, 1));
  tell("Sgbmv kl", cublasSgbmv(handle, CUBLAS_OP_N, 4, 4, -1, 1, &one, x, 4, x, 1, &one, x, 1));
  tell("Sgbmv lda", cublasSgbmv(handle, CUBLAS_OP_N, 4, 4, 1, 1, &one, x, 2, x, 1, &one, x, 1));
  tell("Stbmv lda", cublasStbmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, 2, x, 2, x, 1));
  tell("Strsv diagonal", cublasStrsv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, cublasDiagType_t(5), 4, x, 4, x, 1));
  tell("Strsm side", cublasStrsm(handle, cublasSideMode_t(2), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4,
                                 4, &one, x, 4, x, 4));
  tell("Strsm ldb", cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, 4,
                                &one, x, 4, x, 3));
  tell("Ssyrk lda", cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, 4, 5, &one, x, 4, &one, x, 4));
  tell("Ssyr2k ldb", cublasSsyr2k(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 4, 4, &one, x, 4, x, 3, &one, x, 4));
  tell("Sgeam ldc", cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, &one, x, 4, &one, x, 4, x, 3));
  tell("Sdgmm lda", cublasSdgmm(handle, CUBLAS_SIDE_LEFT, 4, 4, x, 3, x, 1, x, 4));
}

void wrong_handles(cublasHandle_t handle) {
  int number = 0;
  float host[4] = {};
  DeviceArray<float> x(64);
  tell("create", cublasCreate(nullptr));
  tell("destroy null", cublasDestroy(nullptr));
  tell("stream null", cublasSetStream(nullptr, nullptr));
  tell("version", cublasGetVersion(handle, nullptr));
  tell("version null", cublasGetVersion(nullptr, &number));
  tell("pointer mode", cublasSetPointerMode(handle, cublasPointerMode_t(5)));
  tell("atomics mode", cublasSetAtomicsMode(handle, cublasAtomicsMode_t(5)));
  tell("math mode", cublasSetMathMode(handle, cublasMath_t(9)));
  tell("SetVector n", cublasSetVector(-1, 4, host, 1, x, 1));
  tell("SetVector size", cublasSetVector(4, 0, host, 1, x, 1));
  tell("SetVector step", cublasSetVector(4, 4, host, 0, x, 1));
  tell("SetMatrix lda", cublasSetMatrix(2, 2, 4, host, 0, x, 2));
  tell("SetMatrix lda small", cublasSetMatrix(2, 2, 4, host, 1, x, 2));
  tell("GetMatrix rows", cublasGetMatrix(-2, 2, 4, x, 2, host, 2));
  tell("property", cublasGetProperty(libraryPropertyType(9), &number));
}

}  // namespace

void typed_products(cublasHandle_t handle) {
  product<float, float, float>(handle, "GemmEx 32F", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  product<float, float, float>(handle, "GemmEx TF32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  product<double, double, double>(handle, "GemmEx 64F", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  product<__half, __half, float>(handle, "GemmEx 16F 32F", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  product<__half, float, float>(handle, "GemmEx 16F to 32F", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  product<__half, __half, __half>(handle, "GemmEx 16F 16F", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  product<__nv_bfloat16, __nv_bfloat16, float>(handle, "GemmEx 16BF", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
  product<__nv_bfloat16, float, float>(handle, "GemmEx 16BF to 32F", CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  product<std::int8_t, int, int>(handle, "GemmEx 8I", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
  product<std::int8_t, float, float>(handle, "GemmEx 8I to 32F", CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F);
}

void statuses(cublasHandle_t handle) {
  pairs_of_types(handle);
  wrong_products(handle);
  wrong_vectors(handle);
  wrong_handles(handle);
}
