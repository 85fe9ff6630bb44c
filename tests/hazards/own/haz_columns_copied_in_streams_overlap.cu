// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: two streams copy columns of one image, and one column is among both
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

int main() {
  int *d, *h;
  cudaStream_t s, t;
  CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  CK(cudaMalloc(&d, 16 * 16 * sizeof(int)));
  CK(cudaMallocHost(&h, 16 * 16 * sizeof(int)));
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMemcpy2DAsync(d, 64, h, 64, 36, 16, cudaMemcpyHostToDevice, s));          // @A
  CK(cudaMemcpy2DAsync(d + 8, 64, h + 8, 64, 32, 16, cudaMemcpyHostToDevice, t));  // @B
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(h, d, 1024, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h[5]);
  CK(cudaFree(d));
  CK(cudaFreeHost(h));
  CK(cudaStreamDestroy(s));
  CK(cudaStreamDestroy(t));
}
