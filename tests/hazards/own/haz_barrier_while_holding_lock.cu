// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: hang
// row: S9
// why: a thread comes to the barrier of its block with the lock that the other threads still wait for
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int lock_word;
__device__ __noinline__ void acquire() {
  while (atomicExch(&lock_word, 1) != 0) {  // @A
  }
}
__device__ void release() {
  atomicExch(&lock_word, 0);
}
__global__ void in_turn(int* out) {
  __shared__ int next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  acquire();
  const int turn = next++;
  __syncthreads();  // @B
  release();
  out[turn] = int(threadIdx.x);
}

int main() {
  int *out;
  CK(cudaMalloc(&out, 64 * sizeof(int)));
  in_turn<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
  return 0;
}
