// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R4
// why: the sum is read into a variable, and written back lines later; other warps add meanwhile
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void total(int* out) {
  __shared__ volatile int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const int before = sum;  // @A
  const int mine = static_cast<int>(threadIdx.x) + 1;
  sum = before + mine;  // @B
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  int *d, h[1];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  total<<<1, 96>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("got %d\n", h[0]);
}
