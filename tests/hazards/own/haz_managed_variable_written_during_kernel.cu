// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: the host prepares the next step in a managed structure that the kernel still reads
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Step {
  float size;
  int number;
};
__managed__ Step step;

__global__ void advance(float* x) {
  x[threadIdx.x] += step.size;  // @A
}

int main() {
  float* x;
  CK(cudaMalloc(&x, 64 * sizeof(float)));
  CK(cudaMemset(x, 0, 64 * sizeof(float)));
  CK(cudaDeviceSynchronize());
  for (int number = 0; number < 3; ++number) {
    step.size = 0.5f * number;  // @B  of the second step on, while the kernel of the one before may run
    advance<<<1, 64>>>(x);
    CK(cudaGetLastError());
  }
  CK(cudaDeviceSynchronize());
  CK(cudaFree(x));
}
