// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: F3
// why: every block waits for the one that drew the ticket before its own, which has therefore started
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void chain(int* ticket, volatile int* done, int* sum) {
  if (threadIdx.x != 0) return;
  const int mine = atomicAdd(ticket, 1);
  while (*done != mine) {
  }
  __threadfence();
  *sum = *sum * 2 + mine % 2;
  __threadfence();
  *done = mine + 1;
}

int main() {
  int *p, h = 0;
  CK(cudaMalloc(&p, 3 * sizeof(int)));
  CK(cudaMemset(p, 0, 3 * sizeof(int)));
  chain<<<20, 32>>>(p, p + 1, p + 2);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, p + 2, sizeof(int), cudaMemcpyDeviceToHost));
  CK(cudaFree(p));
  std::printf("%s\n", h != 0x55555 ? "FAIL" : "PASS");
  return h != 0x55555;
}
