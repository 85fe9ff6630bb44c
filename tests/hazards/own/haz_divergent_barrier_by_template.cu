// expect: barrier-divergence
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock
// hw: silent
// row: S1
// why: two instantiations of one helper with a barrier are called by the two halves of a block
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

template <int kStep>
__device__ int step(int v) {
  v += kStep;
  if (kStep == 1) {
    __syncthreads();  // @A
  } else {
    __syncthreads();  // @B
  }
  return v;
}
__global__ void k(int* out) {
  const int t = threadIdx.x;
  out[t] = t < 32 ? step<1>(t) : step<2>(t);
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
