// SPDX-License-Identifier: Apache-2.0
//
// Every block waits for a flag of the next one, also the last; corrected, the last block does not wait.
#include <cstdio>

__global__ void wait_for(volatile int* flag, int* out) {
  while (flag[blockIdx.x + 1] == 0) {  // no block sets the flag that the last block reads
  }
  out[blockIdx.x] = 1;
  __threadfence();
  flag[blockIdx.x] = 1;
}

__global__ void wait_for_next(volatile int* flag, int* out) {
  if (blockIdx.x + 1 < gridDim.x) {
    while (flag[blockIdx.x + 1] == 0) {
    }
  }
  out[blockIdx.x] = 1;
  __threadfence();
  flag[blockIdx.x] = 1;
}

int main() {
  int *flags, *out;
  cudaMalloc(&flags, 4 * sizeof(int));
  cudaMalloc(&out, 3 * sizeof(int));
  cudaMemset(flags, 0, 4 * sizeof(int));
  wait_for_next<<<3, 1>>>(flags, out);
  cudaMemset(flags, 0, 4 * sizeof(int));
  wait_for<<<3, 1>>>(flags, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
