// expect: oob-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M2
// why: a kernel leaves the address of its shared table in a global pointer, and the next kernel reads through it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ const int* table;

__global__ void fill() {
  __shared__ int squares[32];
  squares[threadIdx.x] = threadIdx.x * threadIdx.x;
  if (threadIdx.x == 0) table = squares;
}
__global__ void look_up(int* out) {
  out[threadIdx.x] = table[threadIdx.x];  // @A
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemset(out, 0, sizeof h));
  fill<<<1, 32>>>();
  look_up<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[3] = %d\n", h[3]);
  CK(cudaFree(out));
}
