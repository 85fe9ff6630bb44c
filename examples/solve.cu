// SPDX-License-Identifier: Apache-2.0
// cuSOLVER solves a system in one stream, and a kernel uses the solution in another. -DORDERED: with an event.
#include <cusolverDn.h>

#include <cstdio>

__global__ void square(const double* x, double* y) {
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}

int main() {
  const int n = 64;
  static double host[n * n + n];
  double *a, *y, *work;
  int *pivots, *info, size;
  cudaStream_t solving, using_it;
  cudaEvent_t solved;
  cusolverDnHandle_t handle;
  for (int i = 0; i < n * n; ++i) host[i] = i / n == i % n ? n : 1.0 / (1 + i / n + i % n);
  for (int i = 0; i < n; ++i) host[n * n + i] = i;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&y, n * sizeof *y);
  cudaMalloc(&pivots, n * sizeof *pivots);
  cudaMalloc(&info, sizeof *info);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  double* x = a + n * n;
  cudaStreamCreate(&solving);
  cudaStreamCreate(&using_it);
  cudaEventCreate(&solved);
  cusolverDnCreate(&handle);
  cusolverDnSetStream(handle, solving);
  cusolverDnDgetrf_bufferSize(handle, n, n, a, n, &size);
  cudaMalloc(&work, size * sizeof *work);
  cusolverDnDgetrf(handle, n, n, a, n, work, pivots, info);
  cusolverDnDgetrs(handle, CUBLAS_OP_N, n, 1, a, n, pivots, x, n, info);
#ifdef ORDERED
  cudaEventRecord(solved, solving);
  cudaStreamWaitEvent(using_it, solved);
#endif
  square<<<1, n, 0, using_it>>>(x, y);
  cudaDeviceSynchronize();
  cudaMemcpy(host, y, n * sizeof *y, cudaMemcpyDeviceToHost);
  std::printf("the last square is %.6f\n", host[n - 1]);
  cusolverDnDestroy(handle);
  cudaEventDestroy(solved);
  cudaStreamDestroy(solving);
  cudaStreamDestroy(using_it);
  cudaFree(a);
  cudaFree(y);
  cudaFree(work);
  cudaFree(pivots);
  cudaFree(info);
}
