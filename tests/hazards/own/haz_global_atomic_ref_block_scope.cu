// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R9
// why: a counter shared by all blocks is a cuda::atomic_ref of block scope
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void tally(int* counter) {
  cuda::atomic_ref<int, cuda::thread_scope_block> c(*counter);
  c.fetch_add(1, cuda::std::memory_order_relaxed);  // @A @B
}

int main() {
  int *c, h = 0;
  CK(cudaMalloc(&c, sizeof(int)));
  CK(cudaMemset(c, 0, sizeof(int)));
  tally<<<3, 32>>>(c);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, c, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("counted %d of 96\n", h);
  CK(cudaFree(c));
}
