// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R12
// why: the producer is in the default stream, the consumer in a non-blocking one, which does not wait for it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void produce(int* p) {
  p[threadIdx.x] = threadIdx.x;  // @A
}

__global__ void consume(const int* p, int* q) {
  q[threadIdx.x] = 2 * p[threadIdx.x];  // @B
}

int main() {
  int *p, *q;
  cudaStream_t side;
  CK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  CK(cudaMalloc(&p, 64 * sizeof(int)));
  CK(cudaMalloc(&q, 64 * sizeof(int)));
  CK(cudaMemset(p, 0, 64 * sizeof(int)));
  CK(cudaDeviceSynchronize());
  produce<<<1, 64>>>(p);
  consume<<<1, 64, 0, side>>>(p, q);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaStreamDestroy(side));
  CK(cudaFree(p));
  CK(cudaFree(q));
}
