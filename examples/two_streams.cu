// SPDX-License-Identifier: Apache-2.0
//
// A producer and a consumer in two streams, without an event between them and with one.
#include <cstdio>

__global__ void produce(int* p) {
  p[threadIdx.x] = threadIdx.x;
}

__global__ void consume(const int* p, int* q) {
  q[threadIdx.x] = p[63 - threadIdx.x];
}

void unordered(int* p, int* q, cudaStream_t a, cudaStream_t b) {
  produce<<<1, 64, 0, a>>>(p);
  consume<<<1, 64, 0, b>>>(p, q);  // race-global: nothing orders the two
}

void ordered(int* p, int* q, cudaStream_t a, cudaStream_t b, cudaEvent_t ready) {
  produce<<<1, 64, 0, a>>>(p);
  cudaEventRecord(ready, a);
  cudaStreamWaitEvent(b, ready, 0);
  consume<<<1, 64, 0, b>>>(p, q);  // ordered
}

int main() {
  int *p, *q;
  cudaStream_t a, b;
  cudaEvent_t ready;
  cudaMalloc(&p, 64 * sizeof(int));
  cudaMalloc(&q, 64 * sizeof(int));
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaEventCreate(&ready);
  ordered(p, q, a, b, ready);
  cudaDeviceSynchronize();
  unordered(p, q, a, b);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
