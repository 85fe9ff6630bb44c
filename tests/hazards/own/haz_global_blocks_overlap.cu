// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R7
// why: each block also writes the first element of the next block's part
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* a) {
  const int t = threadIdx.x, base = blockIdx.x * 32;
  a[base + t] = base + t;            // @A
  if (t == 31) a[base + 32] = -1;    // @B
}

int main() {
  int h[129], *a;
  CK(cudaMalloc(&a, sizeof h));
  fill<<<4, 32>>>(a);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("a[32] = %d\n", h[32]);
  CK(cudaFree(a));
}
