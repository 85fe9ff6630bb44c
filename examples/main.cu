// SPDX-License-Identifier: Apache-2.0
//
// A program of two CUDA files: this one has the data, kernels.cu the kernel. Makefile builds it with any nvcc.
#include <cstdio>

void launch_saxpy(unsigned n, float a, const float* x, float* y);

int main() {
  const unsigned n = 1000;
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (unsigned i = 0; i < n; ++i) x[i] = y[i] = i;
  launch_saxpy(n, 2, x, y);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s: 2 * 999 + 999 = %g\n", cudaGetErrorString(error), y[999]);
  return error == cudaSuccess && y[999] == 2997 ? 0 : 1;
}
