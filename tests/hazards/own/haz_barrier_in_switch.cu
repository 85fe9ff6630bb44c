// expect: barrier-divergence
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock
// hw: silent
// row: S1
// why: every case of a switch on the warp has a __syncthreads of its own
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* out) {
  int v = 0;
  switch (threadIdx.x / 32) {
    case 0:
      v = 1;
      __syncthreads();  // @A
      break;
    default:
      v = 2;
      __syncthreads();  // @B
      break;
  }
  out[threadIdx.x] = v;
}
int main() {
  int *p, h;
  CK(cudaMalloc(&p, 64 * sizeof(int)));
  k<<<1, 64>>>(p);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, p + 1, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h);
  CK(cudaFree(p));
}
