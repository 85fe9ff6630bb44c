// SPDX-License-Identifier: Apache-2.0
// Calls that LAPACK computes, one with a wrong argument, and calls of cuSOLVER and cuBLAS that it does not compute. Prints
// their statuses, and whether factors without LAPACK are right.
#include <cublas_v2.h>
#include <cusolverDn.h>

#include <cstdio>

#define STATUS(call) std::printf("%s -> %d\n", #call, int(call))

int main() {
  const int n = 2;
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  const double matrix[] = {4, 2, 2, 5};
  double *a, *w, *work, **batch, factors[4];
  int *info, *pivots, size = 0;
  cudaMalloc(&a, sizeof matrix);
  cudaMalloc(&w, n * sizeof *w);
  cudaMalloc(&batch, sizeof *batch);
  cudaMalloc(&info, sizeof *info);
  cudaMalloc(&pivots, n * sizeof *pivots);
  cudaMemcpy(a, matrix, sizeof matrix, cudaMemcpyHostToDevice);
  cudaMemcpy(batch, &a, sizeof a, cudaMemcpyHostToDevice);
  cusolverDnHandle_t solver;
  cublasHandle_t blas;
  syevjInfo_t parameters;
  STATUS(cusolverDnCreate(&solver));
  STATUS(cusolverDnCreateSyevjInfo(&parameters));
  STATUS(cublasCreate(&blas));
  STATUS(cusolverDnDpotrf_bufferSize(solver, lower, n, a, n, &size));
  cudaMalloc(&work, size * sizeof *work);
  STATUS(cusolverDnDpotrf(solver, lower, n, a, 1, work, size, info));
  STATUS(cusolverDnDpotrf(solver, lower, n, a, n, work, size, info));
  STATUS(cusolverDnDgetrf(solver, n, n, a, n, work, pivots, info));
  STATUS(cusolverDnDsyevd(solver, CUSOLVER_EIG_MODE_NOVECTOR, lower, n, a, n, w, work, size, info));
  STATUS(cusolverDnDgetrf(solver, n, n, a, n, work, nullptr, info));
  cudaMemcpy(factors, a, sizeof factors, cudaMemcpyDeviceToHost);
  std::printf("right factors -> %d\n", factors[1] == 0.5 && factors[2] == 2 && factors[3] == 4);
  cudaMemcpy(a, matrix, sizeof matrix, cudaMemcpyHostToDevice);
  STATUS(cublasDgetrfBatched(blas, n, batch, n, pivots, info, 1));
  STATUS(cusolverDnDsyevj(solver, CUSOLVER_EIG_MODE_NOVECTOR, lower, n, a, n, w, work, size, info, parameters));
  cudaDeviceSynchronize();
  cusolverDnDestroySyevjInfo(parameters);
  cusolverDnDestroy(solver);
  cublasDestroy(blas);
  cudaFree(work);
  cudaFree(a);
  cudaFree(w);
  cudaFree(batch);
  cudaFree(info);
  cudaFree(pivots);
}
