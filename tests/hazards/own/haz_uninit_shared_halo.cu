// expect: uninit-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M7
// why: the tile has a halo of one on each side, and nobody loads the right one
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void blur(const int* in, int* out) {
  __shared__ int s[66];
  const int t = threadIdx.x;
  s[t + 1] = in[t];
  if (t == 0) s[0] = 0;
  __syncthreads();
  out[t] = s[t] + s[t + 1] + s[t + 2];  // @A
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  blur<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[0] = %d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
