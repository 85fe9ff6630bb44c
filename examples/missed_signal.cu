// SPDX-License-Identifier: Apache-2.0
//
// A block resets a flag and waits for it; a signal that came before the reset is lost. In order, it comes after it.
#include <cstdio>

__global__ void wait_for_signal(int* flag) {
  if (blockIdx.x == 0) {
    atomicExch(flag, 0);  // also removes a signal that is there already
    while (atomicAdd(flag, 0) == 0) {
    }
  } else if (blockIdx.x == 1) {
    atomicExch(flag, 1);
  }
}

int main() {
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  wait_for_signal<<<8, 1>>>(flag);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
