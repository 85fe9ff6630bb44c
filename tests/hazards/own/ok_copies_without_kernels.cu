// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: memsets and copies in two streams, ordered by events and by disjoint parts; no kernel at all
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

int main() {
  int *d, *h, bad = 0;
  cudaStream_t a, b;
  cudaEvent_t e;
  CK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CK(cudaEventCreate(&e));
  CK(cudaMalloc(&d, 64 * sizeof(int)));
  CK(cudaMallocHost(&h, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMemsetAsync(d, 0, 32 * sizeof(int), a));
  CK(cudaMemcpyAsync(d + 32, h + 32, 32 * sizeof(int), cudaMemcpyHostToDevice, b));
  CK(cudaEventRecord(e, a));
  CK(cudaStreamWaitEvent(b, e, 0));
  CK(cudaMemcpyAsync(d, h, 16 * sizeof(int), cudaMemcpyHostToDevice, b));
  CK(cudaStreamSynchronize(b));
  for (int i = 0; i < 64; ++i) h[i] = -1;
  CK(cudaMemcpyAsync(h, d, 64 * sizeof(int), cudaMemcpyDeviceToHost, a));
  CK(cudaStreamSynchronize(a));
  for (int i = 0; i < 64; ++i) bad += h[i] != (i < 16 || i >= 32 ? i : 0);
  CK(cudaFree(d));
  CK(cudaFreeHost(h));
  CK(cudaEventDestroy(e));
  CK(cudaStreamDestroy(a));
  CK(cudaStreamDestroy(b));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
