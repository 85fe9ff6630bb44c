// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R12
// why: two pinned buffers are filled in turn; before one is filled again its last copy's event is waited for
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void add(const int* p, int* sum) { atomicAdd(sum, p[threadIdx.x]); }
int main() {
  int *d[2], *h[2], *sum, got = 0, want = 0;
  cudaStream_t s;
  cudaEvent_t copied[2];
  CK(cudaStreamCreate(&s));
  CK(cudaMalloc(&sum, sizeof(int)));
  CK(cudaMemsetAsync(sum, 0, sizeof(int), s));
  for (int i = 0; i < 2; ++i) {
    CK(cudaMalloc(&d[i], 64 * sizeof(int)));
    CK(cudaMallocHost(&h[i], 64 * sizeof(int)));
    CK(cudaEventCreate(&copied[i]));
  }
  for (int r = 0; r < 6; ++r) {
    const int b = r % 2;
    if (r >= 2) CK(cudaEventSynchronize(copied[b]));
    for (int i = 0; i < 64; ++i) want += h[b][i] = r * 64 + i;
    CK(cudaMemcpyAsync(d[b], h[b], 64 * sizeof(int), cudaMemcpyHostToDevice, s));
    CK(cudaEventRecord(copied[b], s));
    add<<<1, 64, 0, s>>>(d[b], sum);
  }
  CK(cudaMemcpyAsync(h[0], sum, sizeof(int), cudaMemcpyDeviceToHost, s));
  CK(cudaStreamSynchronize(s));
  got = h[0][0];
  for (int i = 0; i < 2; ++i) {
    CK(cudaFree(d[i]));
    CK(cudaFreeHost(h[i]));
    CK(cudaEventDestroy(copied[i]));
  }
  CK(cudaFree(sum));
  CK(cudaStreamDestroy(s));
  std::printf("%s\n", got != want ? "FAIL" : "PASS");
  return got != want;
}
