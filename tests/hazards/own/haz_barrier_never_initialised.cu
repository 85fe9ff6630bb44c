// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: uninit-shared,deadlock
// hw: may-hang
// row: S8
// why: a cuda::barrier that nobody has initialised
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* out) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier a;
  a.arrive_and_wait();  // @A
  out[threadIdx.x] = 1;
}
int main() {
  int *p, h;
  CK(cudaMalloc(&p, 64 * sizeof(int)));
  k<<<1, 64>>>(p);
  CK(cudaMemcpy(&h, p + 1, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h);
  CK(cudaFree(p));
}
