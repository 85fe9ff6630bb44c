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

  // Letters, numbers by value and complex results, of functions of each kind.
  cublasSetVector(6, sizeof *a, host, 1, a, 1);
  cublasSsymm('L', 'u', 2, 1, 2, a, 2, a, 2, 0, c, 2);
  cublasGetVector(2, sizeof *c, c, 1, result, 1);
  expect("cublasSsymm", result[0] * 100 + result[1], -10 * 100 + 22);
  cublasStrmm('r', 'U', 'n', 'n', 1, 2, 1, a, 2, c, 1);
  cublasGetVector(2, sizeof *c, c, 1, result, 1);
  expect("cublasStrmm, which replaces B", result[0] * 1000 + result[1], -10 * 1000 - 118);
  const auto complex = reinterpret_cast<cuComplex*>(a);
  const cuComplex product = cublasCdotc(2, complex, 1, complex, 1);
  expect("cublasCdotc", product.x + product.y, 30);
  expect("cublasScnrm2", cublasScnrm2(1, complex + 1, 1), 5);
  expect("cublasIcamin", cublasIcamin(3, complex, 1), 1);
  cublasCsscal(1, 3, complex, 1);
  cublasCgemm('N', 'c', 1, 1, 1, make_cuComplex(1, 0), complex, 1, complex, 1, make_cuComplex(0, 0),
              reinterpret_cast<cuComplex*>(c), 1);
  cublasGetVector(2, sizeof *c, c, 1, result, 1);
  expect("cublasCgemm", result[0] + result[1], 45);
  float side = 3, other = 4, cosine, sine;
  cublasSrotg(&side, &other, &cosine, &sine);
  expect("cublasSrotg", side, 5);
  int version = 0;
  expect("cublasGetVersion", cublasGetVersion(&version) + (version >= 130000 ? 0 : 1), 0);
  expect("the error of all", cublasGetError(), CUBLAS_STATUS_SUCCESS);
  cublasSgemm('n', 'n', 2, 2, 2, 1, a, 1, a, 2, 0, c, 2);
  expect("the error of a small lda", cublasGetError(), CUBLAS_STATUS_INVALID_VALUE);
  expect("the error that was taken", cublasGetError(), CUBLAS_STATUS_SUCCESS);
  cublasFree(a);
  cublasFree(c);
  cublasShutdown();
  std::printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong;
}
