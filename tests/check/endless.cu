// SPDX-License-Identifier: Apache-2.0
// A race, and then a lock that is never released: lanes try it for ever, meet at a vote and a shuffle each time, and
// count their tries, so that no state comes twice.
#include <cstdio>

__global__ void try_lock(int* lock, int* sum) {
  *sum = threadIdx.x;
  bool done = false;
  for (int tries = 0; __any_sync(0xffffffff, !done); ++tries) {
    const int taken = done ? 1 : atomicCAS(lock, 0, 1);
    const int first = __shfl_sync(0xffffffff, taken, 0);
    if (!done && taken == 0) {
      atomicAdd(sum, first + tries);
      done = true;
      if (threadIdx.x != 5) atomicExch(lock, 0);
    }
  }
}

int main() {
  int *lock, *sum;
  cudaMalloc(&lock, sizeof *lock);
  cudaMemset(lock, 0, sizeof *lock);
  cudaMalloc(&sum, sizeof *sum);
  try_lock<<<1, 32>>>(lock, sum);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
