// SPDX-License-Identifier: Apache-2.0
//
// Values for a kernel, copied to the device as they have to be, and then stored there by code of the host.
#include <cstdio>

__device__ int factor;

__global__ void scale(int* p) { p[threadIdx.x] *= factor; }

int main() {
  int host[32];
  int* p;
  cudaMalloc(&p, sizeof host);
  const int five = 5;
  cudaMemcpyToSymbol(factor, &five, sizeof five);
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<1, 32>>>(p);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));

  factor = 6;
  for (int i = 0; i < 32; ++i) p[i] = i;
  scale<<<1, 32>>>(p);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
