// expect: invalid-free
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M11
// why: one thread allocates, and every thread of the warp frees
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void shared_block(int* out) {
  __shared__ int* p;
  if (threadIdx.x == 0) p = static_cast<int*>(malloc(32 * sizeof(int)));
  __syncthreads();
  p[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  free(p);  // @A
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  shared_block<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}
