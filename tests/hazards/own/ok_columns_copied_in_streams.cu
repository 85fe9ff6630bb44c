// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: two streams copy the left and the right columns of one image, which lie between each other in memory
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

int main() {
  int *d, *h, bad = 0;
  cudaStream_t s[2];
  CK(cudaMalloc(&d, 16 * 16 * sizeof(int)));
  CK(cudaMallocHost(&h, 16 * 16 * sizeof(int)));
  for (int i = 0; i < 256; ++i) h[i] = i;
  for (int k = 0; k < 2; ++k) {
    CK(cudaStreamCreateWithFlags(&s[k], cudaStreamNonBlocking));
    CK(cudaMemcpy2DAsync(d + 8 * k, 64, h + 8 * k, 64, 32, 16, cudaMemcpyHostToDevice, s[k]));
  }
  CK(cudaDeviceSynchronize());
  for (int i = 0; i < 256; ++i) h[i] = -1;
  for (int k = 0; k < 2; ++k) {
    CK(cudaMemcpy2DAsync(h + 8 * k, 64, d + 8 * k, 64, 32, 16, cudaMemcpyDeviceToHost, s[k]));
    CK(cudaStreamSynchronize(s[k]));
    for (int i = 0; i < 256; ++i) bad += i % 16 / 8 == k && h[i] != i;
    CK(cudaStreamDestroy(s[k]));
  }
  CK(cudaFree(d));
  CK(cudaFreeHost(h));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
