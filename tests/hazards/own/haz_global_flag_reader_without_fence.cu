// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R8
// why: the writer fences before the flag, the reader does not fence behind it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void pass(int* payload, volatile int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *payload = 42;  // @A
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    *out = *payload;  // @B
  }
}
int main() {
  int *p, h = 0;
  CK(cudaMalloc(&p, 3 * sizeof(int)));
  CK(cudaMemset(p, 0, 3 * sizeof(int)));
  pass<<<2, 32>>>(p, p + 1, p + 2);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, p + 2, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("got %d\n", h);
  CK(cudaFree(p));
}
