// expect: uninit-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M6
// why: the counter is added to atomically, but nobody has set it to zero
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void count(const int* in, int n, unsigned* matches) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) atomicAdd(matches, 1u);  // @A
}

int main() {
  int h[100], *in;
  unsigned *matches, r;
  for (int i = 0; i < 100; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&matches, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  count<<<2, 64>>>(in, 100, matches);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, matches, sizeof r, cudaMemcpyDeviceToHost));
  std::printf("matches %u\n", r);
  CK(cudaFree(in));
  CK(cudaFree(matches));
}
