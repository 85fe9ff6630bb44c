// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: hang
// row: S8
// why: two warps wait for two cuda::barriers in opposite order
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/std/utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* out) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier a, b;
  if (threadIdx.x == 0) {
    init(&a, 64);
    init(&b, 64);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    a.arrive_and_wait();  // @A
    b.arrive_and_wait();
  } else {
    b.arrive_and_wait();  // @B
    a.arrive_and_wait();
  }
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
