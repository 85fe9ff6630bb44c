// expect: livelock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock
// hw: hang
// row: F1
// why: one signal, two waiters that each take it away with atomicExch: the second waits for ever
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void baton(int* flag, int* out) {
  if (blockIdx.x == 0) {
    atomicExch(flag, 1);
  } else {
    while (atomicExch(flag, 0) == 0) {  // @A
    }
    out[blockIdx.x] = 1;
  }
}

int main() {
  int* p;
  CK(cudaMalloc(&p, 4 * sizeof(int)));
  CK(cudaMemset(p, 0, 4 * sizeof(int)));
  baton<<<3, 1>>>(p, p + 1);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(p));
}
