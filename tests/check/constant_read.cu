// SPDX-License-Identifier: Apache-2.0
// Reads the factors of this file, which only constant_set.cu has set for itself. With an argument they are set here, too.
#include "constant_of_header.cuh"

#include <cstdio>

__global__ void scale(float* x) {
  x[threadIdx.x] *= factors[threadIdx.x];
}

int main(int argc, char**) {
  float* x;
  const float here[4] = {0, 0, 0, 1};
  set_factors();
  if (argc > 1) cudaMemcpyToSymbol(factors, here, sizeof here);
  cudaMallocManaged(&x, 4 * sizeof *x);
  for (int i = 0; i < 4; ++i) x[i] = 1;
  scale<<<1, 4>>>(x);
  cudaDeviceSynchronize();
  std::printf("%g\n", x[3]);
  cudaFree(x);
}
