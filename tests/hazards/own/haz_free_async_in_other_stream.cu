// expect: use-after-free
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: oob-global,race-global
// hw: silent
// row: M10
// why: one stream gives the memory back to the pool while a kernel in another stream may still use it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p) {
  p[threadIdx.x] = threadIdx.x;  // @A
}

int main() {
  int* p;
  cudaStream_t a, b;
  CK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CK(cudaMallocAsync(&p, 64 * sizeof(int), a));
  CK(cudaStreamSynchronize(a));
  fill<<<1, 64, 0, b>>>(p);
  CK(cudaFreeAsync(p, a));  // needs an event recorded in b
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaStreamDestroy(a));
  CK(cudaStreamDestroy(b));
}
