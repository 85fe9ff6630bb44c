// SPDX-License-Identifier: Apache-2.0
//
// A copy whose kind names the wrong direction, and one whose kind is right.
#include <cstdio>

__global__ void twice(float* v) {
  v[threadIdx.x] *= 2;
}

int main() {
  float host[64] = {};
  float* device;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost);
  twice<<<1, 64>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("host[0] = %g\n", host[0]);
}
