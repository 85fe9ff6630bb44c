// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: the host stores to managed memory right behind a launch that reads it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void twice(const int* p, int* q) { q[threadIdx.x] = 2 * p[threadIdx.x]; }  // @A
int main() {
  int *p, *q;
  CK(cudaMallocManaged(&p, 64 * sizeof(int)));
  CK(cudaMallocManaged(&q, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) p[i] = i;
  twice<<<1, 64>>>(p, q);
  CK(cudaGetLastError());
  p[3] = 100;  // @B
  CK(cudaDeviceSynchronize());
  std::printf("%d\n", q[3]);
  CK(cudaFree(p));
  CK(cudaFree(q));
}
