// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: a host function reads pinned memory that a copy in another stream fills, with no event between them
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

void look(void* p) { std::printf("%d\n", static_cast<int*>(p)[5]); }  // @B
int main() {
  int *d, *h;
  cudaStream_t s, t;
  CK(cudaStreamCreate(&s));
  CK(cudaStreamCreate(&t));
  CK(cudaMalloc(&d, 64 * sizeof(int)));
  CK(cudaMallocHost(&h, 64 * sizeof(int)));
  CK(cudaMemset(d, 0, 64 * sizeof(int)));
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpyAsync(h, d, 64 * sizeof(int), cudaMemcpyDeviceToHost, s));  // @A
  CK(cudaLaunchHostFunc(t, look, h));
  CK(cudaDeviceSynchronize());
  CK(cudaFree(d));
  CK(cudaFreeHost(h));
  CK(cudaStreamDestroy(s));
  CK(cudaStreamDestroy(t));
}
