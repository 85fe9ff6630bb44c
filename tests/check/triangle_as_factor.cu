// SPDX-License-Identifier: Apache-2.0
// A kernel writes the lower triangle of a matrix, and a product reads all of it.
#include <cublas_v2.h>

__global__ void lower(float* a, int n) {
  for (int column = threadIdx.x; column <= blockIdx.x; column += blockDim.x) a[blockIdx.x * n + column] = 1;
}

int main() {
  const int n = 64;
  float *a, *b, *c;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  cudaMemset(b, 0, n * n * sizeof(float));
  lower<<<n, 32>>>(a, n);
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1, zero = 0;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  cudaDeviceSynchronize();
  cublasDestroy(handle);
}
