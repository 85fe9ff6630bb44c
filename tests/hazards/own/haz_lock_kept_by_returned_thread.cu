// expect: livelock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: deadlock
// hw: hang
// row: S9
// why: a thread that finds nothing to do returns with the lock in its hand
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {  // @A
    __nanosleep(10);
  }
  __threadfence();
}

__global__ void append(int* lock, int* count, int* list, int limit) {
  if (threadIdx.x != 0) return;
  take(lock);
  const int at = *count;
  if (at >= limit) return;
  list[at] = blockIdx.x;
  *count = at + 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int *words, *list;
  CK(cudaMalloc(&words, 2 * sizeof(int)));
  CK(cudaMalloc(&list, 4 * sizeof(int)));
  CK(cudaMemset(words, 0, 2 * sizeof(int)));
  append<<<8, 32>>>(words, words + 1, list, 4);
  CK(cudaGetLastError());
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
