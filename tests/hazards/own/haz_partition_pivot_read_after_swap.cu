// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R6
// why: threads of a block read the pivot from an array in which others swap it away
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void swap(int& a, int& b) {
  const int t = a;
  a = b;
  b = t;  // @A
}
__global__ void partition(int* data, int n, int* smaller) {
  const int t = threadIdx.x;
  if (t == 0) swap(data[0], data[n - 1]);
  if (t < n - 1 && data[t] < data[n - 1]) atomicAdd(smaller, 1);  // @B
}

int main() {
  int h[40], *data, *smaller;
  for (int i = 0; i < 40; ++i) h[i] = (i * 17) % 40;
  CK(cudaMalloc(&data, sizeof h));
  CK(cudaMalloc(&smaller, sizeof(int)));
  CK(cudaMemset(smaller, 0, sizeof(int)));
  CK(cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice));
  partition<<<1, 64>>>(data, 40, smaller);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(data));
  CK(cudaFree(smaller));
}
