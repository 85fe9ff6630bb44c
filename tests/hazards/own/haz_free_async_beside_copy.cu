// expect: use-after-free
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M10
// why: memory is given back in one stream while a copy out of it may still be under way in another
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

int main() {
  int *d, *h;
  cudaStream_t s, t;
  CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  CK(cudaMallocAsync(&d, 64 * sizeof(int), s));
  CK(cudaMallocHost(&h, 64 * sizeof(int)));
  CK(cudaMemsetAsync(d, 0, 64 * sizeof(int), s));
  CK(cudaStreamSynchronize(s));
  CK(cudaMemcpyAsync(h, d, 64 * sizeof(int), cudaMemcpyDeviceToHost, s));  // @A
  CK(cudaFreeAsync(d, t));                                                 // @B
  CK(cudaDeviceSynchronize());
  std::printf("%d\n", h[5]);
  CK(cudaFreeHost(h));
  CK(cudaStreamDestroy(s));
  CK(cudaStreamDestroy(t));
}
