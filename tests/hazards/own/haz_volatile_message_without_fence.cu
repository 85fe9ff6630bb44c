// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R8
// why: volatile orders nothing: the flag may be seen before the message
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void pass(int* words) {
  volatile int* message = words;
  volatile int* flag = words + 1;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *message = 42;  // @A
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    words[2] = *message;  // @B
  }
}

int main() {
  int *d, h[3];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  pass<<<2, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("got %d\n", h[2]);
}
