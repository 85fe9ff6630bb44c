// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: one stream copies into a buffer that another one copies out of, with no event between them
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

int main() {
  int *a, *b, *c, h[64] = {};
  cudaStream_t s, t;
  CK(cudaStreamCreate(&s));
  CK(cudaStreamCreate(&t));
  CK(cudaMalloc(&a, sizeof h));
  CK(cudaMalloc(&b, sizeof h));
  CK(cudaMalloc(&c, sizeof h));
  CK(cudaMemset(a, 1, sizeof h));
  CK(cudaMemset(b, 2, sizeof h));
  CK(cudaMemcpyAsync(b, a, sizeof h, cudaMemcpyDeviceToDevice, s));  // @A
  CK(cudaMemcpyAsync(c, b, sizeof h, cudaMemcpyDeviceToDevice, t));  // @B
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h[0]);
  CK(cudaFree(a));
  CK(cudaFree(b));
  CK(cudaFree(c));
  CK(cudaStreamDestroy(s));
  CK(cudaStreamDestroy(t));
}
