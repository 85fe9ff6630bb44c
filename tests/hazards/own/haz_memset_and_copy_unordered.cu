// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: a memset in one stream and a copy in another write one buffer, with no event between them
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

int main() {
  int *d, *h;
  cudaStream_t a, b;
  CK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CK(cudaMalloc(&d, 64 * sizeof(int)));
  CK(cudaMallocHost(&h, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMemsetAsync(d, 0, 64 * sizeof(int), a));  // @A
  CK(cudaMemcpyAsync(d, h, 32 * sizeof(int), cudaMemcpyHostToDevice, b));  // @B
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(h, d, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("h[5] = %d\n", h[5]);
  CK(cudaFree(d));
  CK(cudaFreeHost(h));
  CK(cudaStreamDestroy(a));
  CK(cudaStreamDestroy(b));
}
