// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: the host reads pinned memory while an asynchronous copy into it may still be under way
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int *d, *h;
  cudaStream_t s;
  CK(cudaStreamCreate(&s));
  CK(cudaMalloc(&d, 64 * sizeof(int)));
  CK(cudaMallocHost(&h, 64 * sizeof(int)));
  fill<<<1, 64, 0, s>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpyAsync(h, d, 64 * sizeof(int), cudaMemcpyDeviceToHost, s));  // @A
  std::printf("h[5] = %d\n", h[5]);  // @B
  CK(cudaStreamSynchronize(s));
  CK(cudaFree(d));
  CK(cudaFreeHost(h));
  CK(cudaStreamDestroy(s));
}
