// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: may-hang
// row: R8
// why: a work queue publishes its tail before the item, so that consumers read slots that are not written yet
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Queue {
  int items[64];
  unsigned tail;
};
__device__ void push(Queue* q, int item) {
  const unsigned at = atomicAdd(&q->tail, 1u);
  q->items[at] = item;  // @A
}
__global__ void produce_and_consume(Queue* q, int* out) {
  if (blockIdx.x == 0) {
    push(q, static_cast<int>(threadIdx.x));
    return;
  }
  while (*reinterpret_cast<volatile unsigned*>(&q->tail) <= threadIdx.x) {
  }
  __threadfence();
  out[threadIdx.x] = q->items[threadIdx.x];  // @B
}

int main() {
  Queue* q;
  int* out;
  CK(cudaMalloc(&q, sizeof(Queue)));
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  CK(cudaMemset(q, 0, sizeof(Queue)));
  produce_and_consume<<<2, 32>>>(q, out);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(q));
  CK(cudaFree(out));
}
