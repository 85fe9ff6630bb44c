// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions without a handle: results by value, letters for choices, the error that is kept.
#include <cublas.h>

#include <cstdio>

int main() {
  int wrong = 0;
  const auto expect = [&wrong](const char* what, double got, double expected) {
    if (got == expected) return;
    std::printf("%s is %g in place of %g\n", what, got, expected);
    ++wrong;
  };
  expect("without cublasInit, cublasSdot", cublasSdot(0, nullptr, 1, nullptr, 1), 0);
  expect("its error", cublasGetError(), CUBLAS_STATUS_NOT_INITIALIZED);
  cublasInit();
  const float host[6] = {1, -2, 3, -4, 5, -6};
  float *a, *c, result[4];
  cublasAlloc(6, sizeof *a, reinterpret_cast<void**>(&a));
  cublasAlloc(4, sizeof *c, reinterpret_cast<void**>(&c));
  cublasSetVector(6, sizeof *a, host, 1, a, 1);
  cublasSgemm('n', 'T', 2, 2, 3, 1, a, 2, a, 2, 0, c, 2);
  cublasGetMatrix(2, 2, sizeof *c, c, 2, result, 2);
  expect("the product", result[0] * 1e6 + result[1] * 1e3 + result[3], 35e6 - 44e3 + 56);
  expect("cublasSdot", cublasSdot(3, a, 1, a + 3, 1), -32);
  expect("cublasSnrm2", cublasSnrm2(1, a + 3, 1), 4);
  expect("cublasSasum", cublasSasum(6, a, 1), 21);
  expect("cublasIsamax", cublasIsamax(6, a, 1), 6);
  cublasSaxpy(3, 2, a, 1, a + 3, 1);
  cublasGetVector(1, sizeof *a, a + 3, 1, result, 1);
  expect("cublasSaxpy", result[0], -2);
  expect("the error", cublasGetError(), CUBLAS_STATUS_SUCCESS);
  cublasSgemm('n', 'n', 2, 2, 2, 1, a, 1, a, 2, 0, c, 2);
  expect("the error of a small lda", cublasGetError(), CUBLAS_STATUS_INVALID_VALUE);
  expect("the error that was taken", cublasGetError(), CUBLAS_STATUS_SUCCESS);
  cublasFree(a);
  cublasFree(c);
  cublasShutdown();
  std::printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong;
}
