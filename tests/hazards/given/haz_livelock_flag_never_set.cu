// expect: livelock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: deadlock
// hw: hang
// why: the consumer polls a flag that no thread ever writes
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void wait_forever(volatile int* flag, int* out) {
  while (*flag == 0) {  // @A
  }
  *out = 1;
}

int main() {
  int* p;
  CK(cudaMalloc(&p, 2 * sizeof(int)));
  CK(cudaMemset(p, 0, 2 * sizeof(int)));
  wait_forever<<<1, 1>>>(p, p + 1);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(p));
}
