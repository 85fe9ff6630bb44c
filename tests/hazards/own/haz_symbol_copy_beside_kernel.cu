// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: a __device__ variable is set by cudaMemcpyToSymbolAsync in another stream than the kernel that reads it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int factor[32];
__global__ void k(int* out) { out[threadIdx.x] = factor[threadIdx.x]; }  // @A
int main() {
  int *p, *h;
  cudaStream_t s, t;
  CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  CK(cudaMalloc(&p, 32 * sizeof(int)));
  CK(cudaMallocHost(&h, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) h[i] = i;
  k<<<1, 32, 0, s>>>(p);
  CK(cudaMemcpyToSymbolAsync(factor, h, 32 * sizeof(int), 0, cudaMemcpyHostToDevice, t));  // @B
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(h, p, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("%d\n", h[1]);
  CK(cudaFree(p));
  CK(cudaFreeHost(h));
  CK(cudaStreamDestroy(s));
  CK(cudaStreamDestroy(t));
}
