/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of libraries that are not modelled, called from C. */
#include <cublasLt.h>
#include <cublasXt.h>
#include <cufftXt.h>
#include <curand.h>
#include <cusolverMg.h>
#include <cusolverRf.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <cusparse_v2.h>
#include <stdio.h>

int main(void) {
  cusparseHybMat_t hyb = NULL;
  const double half = 0.5;
  printf("%d %d\n", cublasXtSspmm(NULL), cublasXtSspmm(NULL));
  printf("%d\n", cublasLtEmulationDescCreate(NULL));
  printf("%d\n", cufftXtQueryPlan(0, NULL, CUFFT_QUERY_1D_FACTORS));
  printf("%d\n", curandGenerateBinomial(NULL, NULL, (size_t)3, 4U, half));
  printf("%d\n", cusolverRfBatchAnalyze(NULL));
  printf("%d\n", cusolverMgCreate(NULL));
  printf("%d\n", cusparseCreateHybMat(&hyb));
  return 0;
}
