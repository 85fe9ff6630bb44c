// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R6
// why: a stencil in place: a thread's left neighbour may have replaced the value already
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void smooth(int* a) {
  const int i = threadIdx.x + 1;
  const int v = a[i - 1] + a[i];  // @A
  a[i] = v;                       // @B
}

int main() {
  int h[65], *a;
  for (int i = 0; i < 65; ++i) h[i] = 1;
  CK(cudaMalloc(&a, sizeof h));
  CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  smooth<<<1, 64>>>(a);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("a[64] = %d\n", h[64]);
  CK(cudaFree(a));
}
