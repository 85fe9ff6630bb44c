// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: the consumer's stream waits for an event that nobody has recorded, which is no wait at all
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }  // @A
__global__ void twice(const int* p, int* q) { q[threadIdx.x] = 2 * p[threadIdx.x]; }  // @B
int main() {
  int *p, *q, h[64];
  cudaStream_t s, t;
  cudaEvent_t e;
  CK(cudaStreamCreate(&s));
  CK(cudaStreamCreate(&t));
  CK(cudaEventCreate(&e));
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaMalloc(&q, sizeof h));
  CK(cudaMemset(p, 0, sizeof h));
  CK(cudaDeviceSynchronize());
  fill<<<1, 64, 0, s>>>(p);
  CK(cudaStreamWaitEvent(t, e, 0));
  twice<<<1, 64, 0, t>>>(p, q);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h[3]);
  CK(cudaFree(p));
  CK(cudaFree(q));
  CK(cudaEventDestroy(e));
  CK(cudaStreamDestroy(s));
  CK(cudaStreamDestroy(t));
}
