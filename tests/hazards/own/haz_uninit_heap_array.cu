// expect: uninit-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M6
// why: an array from new is summed up before it is filled
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void scratch(int* out, int n) {
  int* mine = new int[n];
  if (mine == nullptr) return;
  for (int i = 1; i < n; ++i) mine[i] = i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += mine[i];  // @A
  out[threadIdx.x] = sum;
  delete[] mine;
}

int main() {
  int h[8], *out;
  CK(cudaMalloc(&out, sizeof h));
  scratch<<<1, 8>>>(out, 16);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("sum %d\n", h[0]);
  CK(cudaFree(out));
}
