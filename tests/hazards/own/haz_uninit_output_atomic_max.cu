// expect: uninit-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M6
// why: a maximum is gathered into memory from cudaMalloc that nobody has set
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void maximum(const int* in, int* out) { atomicMax(out, in[threadIdx.x]); }  // @A
int main() {
  int h[32], *in, *out;
  for (int i = 0; i < 32; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  maximum<<<1, 32>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("%d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
