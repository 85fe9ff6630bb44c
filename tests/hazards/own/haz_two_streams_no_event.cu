// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R12
// why: one stream produces, another consumes, and no event orders them
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
  int *p, *q, h[64], bad = 0;
  cudaStream_t a, b;
  CK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CK(cudaMalloc(&p, sizeof h));
  CK(cudaMalloc(&q, sizeof h));
  CK(cudaMemset(p, 0, sizeof h));
  CK(cudaDeviceSynchronize());
  produce<<<1, 64, 0, a>>>(p);
  consume<<<1, 64, 0, b>>>(p, q);
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += h[i] != i + 1;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(p));
  CK(cudaFree(q));
  CK(cudaStreamDestroy(a));
  CK(cudaStreamDestroy(b));
}
