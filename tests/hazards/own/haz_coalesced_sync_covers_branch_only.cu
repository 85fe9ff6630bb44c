// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R5
// why: the lanes of a branch synchronise among themselves and read what the other branch has stored
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void k(int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = t;  // @A
  if (t < 16) {
    auto active = cg::coalesced_threads();
    active.sync();
    out[t] = s[t + 16];  // @B
  }
}
int main() {
  int *p, h;
  CK(cudaMalloc(&p, 64 * sizeof(int)));
  k<<<1, 32>>>(p);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, p + 1, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h);
  CK(cudaFree(p));
}
