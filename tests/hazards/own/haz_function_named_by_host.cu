// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M14
// why: the structure that a kernel is given has the address that host code has of a device function
#include <cstdio>
#include <cstdlib>

struct Step {
  int (*function)(int);
  int offset;
};

__device__ int squared(int x) { return x * x; }

__global__ void apply(Step step, int* out) {
  out[threadIdx.x] = step.function(threadIdx.x) + step.offset;  // @A
}

int main() {
  int* out;
  if (cudaMalloc(&out, 32 * sizeof(int)) != cudaSuccess) return 3;
  const Step step = {squared, 1};
  apply<<<1, 32>>>(step, out);  // @B
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
