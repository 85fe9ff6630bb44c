// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M1
// why: the index runs out of one array of a declaration and into the one that is declared beside it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int lower[32], upper[32], *unused, total;
__global__ void split(int n) {
  const int i = threadIdx.x;
  lower[i] = i;  // @A
  if (i < 32) upper[i] = n - i;
  if (i == 0) total = n;
}

int main() {
  int sums[32];
  split<<<1, 33>>>(33);
  CK(cudaGetLastError());
  CK(cudaMemcpyFromSymbol(sums, upper, sizeof sums));
  std::printf("upper[1] = %d\n", sums[1]);
}
