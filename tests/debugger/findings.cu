// SPDX-License-Identifier: Apache-2.0
// A race, and a trap that ends its launch. Tests find lines by their comments.
#include <cstdio>

__global__ void race(int* out) {
  out[0] = threadIdx.x;  // races
}

__global__ void ends(int* out) {
  if (threadIdx.x == 7) __trap();  // traps
  out[threadIdx.x] = 1;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  race<<<1, 32>>>(out);
  ends<<<1, 32>>>(out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
