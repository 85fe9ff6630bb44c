// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R4
// why: one thread writes the word, others look at it now and then, and nothing else is handed over
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void work(int* words) {
  volatile int* progress = words;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    for (int i = 0; i < 20; ++i) progress[0]++;
  } else if (threadIdx.x == 0) {
    int last = 0;
    for (int i = 0; i < 10; ++i) {
      const int now = progress[0];
      if (now < last) words[1] = 1;
      last = now;
    }
  }
}

int main() {
  int *d, h[2];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  work<<<2, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("%s\n", h[0] == 20 && h[1] == 0 ? "PASS" : "FAIL");
  return !(h[0] == 20 && h[1] == 0);
}
