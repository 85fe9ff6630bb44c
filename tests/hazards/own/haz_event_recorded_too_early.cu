// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: the event is recorded before the kernel whose result the other stream waits for
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void produce(int* p) {
  p[threadIdx.x] = threadIdx.x;  // @A
}
__global__ void consume(const int* p, int* q) {
  q[threadIdx.x] = p[threadIdx.x] + 1;  // @B
}

int main() {
  int *p, *q, h[64];
  cudaStream_t a, b;
  cudaEvent_t ready;
  CK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaMalloc(&q, sizeof h));
  CK(cudaMemset(p, 0, sizeof h));
  CK(cudaDeviceSynchronize());
  CK(cudaEventRecord(ready, a));
  produce<<<1, 64, 0, a>>>(p);
  CK(cudaStreamWaitEvent(b, ready, 0));
  consume<<<1, 64, 0, b>>>(p, q);
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[63] = %d\n", h[63]);
  CK(cudaFree(p));
  CK(cudaFree(q));
  CK(cudaEventDestroy(ready));
  CK(cudaStreamDestroy(a));
  CK(cudaStreamDestroy(b));
}
