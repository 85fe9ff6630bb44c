// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: the host fills its pinned buffer again while a copy from it may still be under way
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

int main() {
  int *d, *h;
  cudaStream_t s;
  CK(cudaStreamCreate(&s));
  CK(cudaMalloc(&d, 128 * sizeof(int)));
  CK(cudaMallocHost(&h, 64 * sizeof(int)));
  for (int part = 0; part < 2; ++part) {
    for (int i = 0; i < 64; ++i) h[i] = part * 64 + i;  // @B
    CK(cudaMemcpyAsync(d + part * 64, h, 64 * sizeof(int), cudaMemcpyHostToDevice, s));  // @A
  }
  CK(cudaStreamSynchronize(s));
  int r = 0;
  CK(cudaMemcpy(&r, d + 5, sizeof r, cudaMemcpyDeviceToHost));
  std::printf("%d\n", r);
  CK(cudaFree(d));
  CK(cudaFreeHost(h));
  CK(cudaStreamDestroy(s));
}
