// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R4
// why: a lock of a block is taken with an atomic and released with a plain store
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void lock(int* l) {
  while (atomicCAS(l, 0, 1) != 0) {  // @B
  }
  __threadfence_block();
}
__device__ void unlock(int* l) {
  __threadfence_block();
  *l = 0;  // @A
}
__global__ void tickets(int* out) {
  __shared__ int l;
  if (threadIdx.x == 0) l = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    lock(&l);
    out[threadIdx.x / 32] = 1;
    unlock(&l);
  }
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 4 * sizeof(int)));
  tickets<<<1, 128>>>(out);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}
