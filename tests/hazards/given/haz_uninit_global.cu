// expect: uninit-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// why: cudaMemset clears n bytes instead of n ints, so three quarters of the input are never written
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void add_one(int* p) {
  p[threadIdx.x] += 1;  // @A
}

int main() {
  const int n = 64;
  int h[n], *p;
  CK(cudaMalloc(&p, n * sizeof(int)));
  CK(cudaMemset(p, 0, n));
  add_one<<<1, n>>>(p);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("last %d\n", h[n - 1]);
  CK(cudaFree(p));
}
