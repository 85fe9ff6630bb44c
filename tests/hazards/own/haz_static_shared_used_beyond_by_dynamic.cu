// expect: oob-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: fault
// row: M4
// why: dynamic shared memory is used though the launch asks for none
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* out) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;  // @A
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemset(out, 0, sizeof h));
  k<<<1, 32>>>(out);
  CK(cudaGetLastError());
  cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
