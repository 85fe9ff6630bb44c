// SPDX-License-Identifier: Apache-2.0
//
// A hand-made grid barrier in a launch of more blocks than fit on the device at a time.
#include <cstdio>

__global__ void persistent_sum(float* sums, unsigned* arrived) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = 1;
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < gridDim.x) {
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = tile[0];
}

int main() {
  const unsigned blocks = 160, bytes = 160 << 10;
  float* sums;
  unsigned* arrived;
  cudaMalloc(&sums, blocks * sizeof(float));
  cudaMalloc(&arrived, sizeof(unsigned));
  cudaMemset(arrived, 0, sizeof(unsigned));
  cudaFuncSetAttribute(persistent_sum, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  persistent_sum<<<blocks, 256, bytes>>>(sums, arrived);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
