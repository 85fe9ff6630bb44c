// expect: livelock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock
// hw: hang
// row: F1
// why: each block waits for its right neighbour's flag, and the last one looks at a flag that belongs to nobody
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void chain(volatile int* flags, int* out) {
  while (flags[blockIdx.x + 1] == 0) {  // @A
  }
  __threadfence();
  out[blockIdx.x] = 1;
  __threadfence();
  flags[blockIdx.x] = 1;
}

int main() {
  int* p;
  CK(cudaMalloc(&p, 8 * sizeof(int)));
  CK(cudaMemset(p, 0, 8 * sizeof(int)));
  chain<<<3, 1>>>(p, p + 4);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(p));
}
