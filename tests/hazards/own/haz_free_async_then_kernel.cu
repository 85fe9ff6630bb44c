// expect: use-after-free
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: oob-global,race-global
// hw: silent
// row: M10
// why: the kernel is launched behind cudaFreeAsync in the same stream
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p) {
  p[threadIdx.x] = threadIdx.x;  // @A
}

int main() {
  int* p;
  cudaStream_t s;
  CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CK(cudaMallocAsync(&p, 64 * sizeof(int), s));
  CK(cudaFreeAsync(p, s));
  fill<<<1, 64, 0, s>>>(p);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaStreamDestroy(s));
}
