// expect: uninit-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M6
// why: the first kernel fills half of the buffer, the second adds up all of it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}
__global__ void sum(const int* p, int* out) {
  atomicAdd(out, p[threadIdx.x]);  // @A
}

int main() {
  int r = 0, *p, *out;
  CK(cudaMalloc(&p, 64 * sizeof(int)));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemset(out, 0, sizeof(int)));
  fill<<<1, 64>>>(p, 32);
  sum<<<1, 64>>>(p, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("sum %d\n", r);
  CK(cudaFree(p));
  CK(cudaFree(out));
}
