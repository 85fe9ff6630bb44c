// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R4
// why: the maximum is updated atomically, but looked at plainly first, to save the atomic
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void maximum(const int* in, int* best) {
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (v > *best)         // @A
    atomicMax(best, v);  // @B
}

int main() {
  int h[128], *in, *best, r = 0;
  for (int i = 0; i < 128; ++i) h[i] = i * 37 % 128;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&best, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(best, 0, sizeof(int)));
  maximum<<<4, 32>>>(in, best);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, best, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("maximum %d\n", r);
  CK(cudaFree(in));
  CK(cudaFree(best));
}
