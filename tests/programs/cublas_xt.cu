// SPDX-License-Identifier: Apache-2.0
// cuBLASXt: products of matrices in the host's memory, and of one that a kernel writes, against sums in order.
#include <cublasXt.h>

#include <cmath>
#include <cstdio>
#include <vector>

int failures = 0;

void expect(const char* what, bool right) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

__global__ void fill(float* a, int n) {
  if (threadIdx.x < n) a[threadIdx.x] = threadIdx.x % 7;
}

int main() {
  const int m = 5, n = 4, k = 6;
  cublasXtHandle_t handle;
  int devices[] = {0}, none[] = {99}, block = 0, boards = 0;
  expect("create", cublasXtCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  expect("select", cublasXtDeviceSelect(handle, 1, devices) == CUBLAS_STATUS_SUCCESS);
  expect("a device that is not there", cublasXtDeviceSelect(handle, 1, none) == CUBLAS_STATUS_INVALID_VALUE);
  expect("boards", cublasXtGetNumBoards(1, devices, &boards) == CUBLAS_STATUS_SUCCESS && boards == 1);
  expect("block", cublasXtSetBlockDim(handle, 64) == CUBLAS_STATUS_SUCCESS &&
                      cublasXtGetBlockDim(handle, &block) == CUBLAS_STATUS_SUCCESS && block == 64);
  expect("no block", cublasXtSetBlockDim(handle, 0) == CUBLAS_STATUS_INVALID_VALUE);

  std::vector<float> a(m * k), b(k * n), c(m * n, 1);
  for (int i = 0; i < m * k; ++i) a[i] = float(i % 7);
  for (int i = 0; i < k * n; ++i) b[i] = float(i % 5) - 2;
  const float alpha = 2, beta = 3;
  float* on_device;
  cudaMalloc(&on_device, m * k * sizeof(float));
  fill<<<1, 32>>>(on_device, m * k);
  for (const float* left : {static_cast<const float*>(a.data()), static_cast<const float*>(on_device)}) {
    std::vector<float> result = c;
    expect("gemm", cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, left, m, b.data(), k, &beta,
                                 result.data(), m) == CUBLAS_STATUS_SUCCESS);
    bool right = true;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        float sum = 0;
        for (int p = 0; p < k; ++p) sum += a[p * m + i] * b[j * k + p];
        right &= result[j * m + i] == 2 * sum + 3;
      }
    }
    expect("numbers of gemm", right);
  }
  cudaFree(on_device);
  expect("memory that is freed",
         cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, on_device, m, b.data(), k, &beta, c.data(),
                       m) == CUBLAS_STATUS_EXECUTION_FAILED);
  expect("a leading dimension", cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a.data(), m - 1,
                                              b.data(), k, &beta, c.data(), m) == CUBLAS_STATUS_INVALID_VALUE);
  expect("no handle", cublasXtSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a.data(), m, b.data(), k,
                                    &beta, c.data(), m) == CUBLAS_STATUS_NOT_INITIALIZED);

  // A triangle of A A^T, which a system with it undoes.
  const double one = 1, zero = 0;
  std::vector<double> lower = {2, 1, 0, 3}, square(4), x = {4, 11};
  expect("syrk", cublasXtDsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 2, 2, &one, lower.data(), 2, &zero,
                               square.data(), 2) == CUBLAS_STATUS_SUCCESS);
  expect("numbers of syrk", square[0] == 4 && square[1] == 2 && square[3] == 10);
  expect("trsm", cublasXtDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 1,
                               &one, lower.data(), 2, x.data(), 2) == CUBLAS_STATUS_SUCCESS);
  expect("numbers of trsm", x[0] == 2 && x[1] == 3);
  expect("destroy", cublasXtDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  std::printf("%s\n", failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
