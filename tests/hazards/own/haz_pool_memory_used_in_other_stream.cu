// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M10
// why: memory that one stream allocates is used by a kernel in another, which does not wait for the allocation
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void work(int* p) { p[threadIdx.x] += 1; }
__global__ void fill(int* p) {
  p[threadIdx.x] = threadIdx.x;  // @B
}

int main() {
  int *first, *p;
  cudaStream_t s, t;
  CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  CK(cudaMalloc(&first, 64 * sizeof(int)));
  CK(cudaMemset(first, 0, 64 * sizeof(int)));
  CK(cudaDeviceSynchronize());
  work<<<1, 64, 0, s>>>(first);
  CK(cudaMallocAsync(&p, 64 * sizeof(int), s));  // @A
  fill<<<1, 64, 0, t>>>(p);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaFreeAsync(p, s));
  CK(cudaStreamSynchronize(s));
  CK(cudaFree(first));
  CK(cudaStreamDestroy(s));
  CK(cudaStreamDestroy(t));
}
