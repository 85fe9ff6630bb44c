// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R8
// why: a fence before the flag is set and one after it is seen, both for the device
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void pass(int* words) {
  volatile int* message = words;
  volatile int* flag = words + 1;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *message = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    words[2] = *message;
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
  std::printf("%s\n", h[2] == 42 ? "PASS" : "FAIL");
  return !(h[2] == 42);
}
