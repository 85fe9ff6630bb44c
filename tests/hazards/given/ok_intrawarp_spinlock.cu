// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// why: 32 lanes of one warp contend for a spin lock; independent thread scheduling guarantees the holder progresses
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void critical(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += threadIdx.x;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int *p, h = 0;
  CK(cudaMalloc(&p, 2 * sizeof(int)));
  CK(cudaMemset(p, 0, 2 * sizeof(int)));
  critical<<<1, 32>>>(p, p + 1);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, p + 1, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(p));
  std::printf("%s\n", h != 496 ? "FAIL" : "PASS");
  return h != 496;
}
