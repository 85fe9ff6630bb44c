// SPDX-License-Identifier: Apache-2.0
// A product of matrices in one stream, and a kernel that writes one of its factors in another. -DORDERED: one stream.
// -DSHORT: the result is too small. -DUNWRITTEN: nobody writes a factor.
#include <cublas_v2.h>

__global__ void identity(float* a, int n) {
  const int i = threadIdx.x;
  for (int j = 0; j < n; ++j) a[j * n + i] = i == j;
}

int main() {
  const int n = 64;
  const float one = 1, zero = 0;
  float *a, *b, *c;
  cudaStream_t making, multiplying;
  cublasHandle_t handle;
  cudaMalloc(&a, n * n * sizeof *a);
  cudaMalloc(&b, n * n * sizeof *b);
#ifdef SHORT
  cudaMalloc(&c, n * sizeof *c);
#else
  cudaMalloc(&c, n * n * sizeof *c);
#endif
#ifndef UNWRITTEN
  cudaMemset(b, 0, n * n * sizeof *b);
#endif
  cudaStreamCreate(&making);
  cudaStreamCreate(&multiplying);
  cudaDeviceSynchronize();
  cublasCreate(&handle);
#ifndef ORDERED
  cublasSetStream(handle, multiplying);
#else
  cublasSetStream(handle, making);
#endif
  identity<<<1, n, 0, making>>>(a, n);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  cudaDeviceSynchronize();
  cublasDestroy(handle);
  cudaStreamDestroy(making);
  cudaStreamDestroy(multiplying);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
