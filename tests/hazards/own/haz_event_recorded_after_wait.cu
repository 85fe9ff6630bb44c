// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: the event is recorded only after the other stream was told to wait for it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p) {
  p[threadIdx.x] = threadIdx.x;  // @A
}
__global__ void twice(const int* p, int* q) {
  q[threadIdx.x] = 2 * p[threadIdx.x];  // @B
}

int main() {
  int *p, *q;
  cudaStream_t s, t;
  cudaEvent_t filled;
  CK(cudaStreamCreate(&s));
  CK(cudaStreamCreate(&t));
  CK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
  CK(cudaMalloc(&p, 64 * sizeof(int)));
  CK(cudaMalloc(&q, 64 * sizeof(int)));
  fill<<<1, 64, 0, s>>>(p);
  CK(cudaStreamWaitEvent(t, filled, 0));
  CK(cudaEventRecord(filled, s));
  twice<<<1, 64, 0, t>>>(p, q);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaFree(p));
  CK(cudaFree(q));
  CK(cudaEventDestroy(filled));
  CK(cudaStreamDestroy(s));
  CK(cudaStreamDestroy(t));
}
