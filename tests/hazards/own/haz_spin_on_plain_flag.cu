// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: livelock,deadlock
// hw: may-hang
// row: F2
// why: the flag is read plainly: the compiler may read it once, and nothing orders the two accesses
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void pass(int* flag, int* out) {
  if (blockIdx.x == 0) {
    atomicExch(flag, 1);  // @A
  } else {
    int turns = 0;
    while (*flag == 0) {  // @B
      __nanosleep(100);
      ++turns;
    }
    *out = turns;
  }
}

int main() {
  int* p;
  CK(cudaMalloc(&p, 2 * sizeof(int)));
  CK(cudaMemset(p, 0, 2 * sizeof(int)));
  pass<<<2, 1>>>(p, p + 1);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(p));
}
