// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock,uninit-shared,cg-misuse
// hw: may-hang
// row: S8
// why: no __syncthreads between the initialisation of a cuda::barrier and its use by other threads
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* out) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier a;
  if (threadIdx.x == 0) init(&a, 64);  // @A
  a.arrive_and_wait();  // @B
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
