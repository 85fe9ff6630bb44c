// expect: barrier-divergence
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: S1
// why: each warp calls a helper of its own, and each helper has a __syncthreads of its own
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int from_left(const int* s, int t) {
  __syncthreads();  // @A
  return s[t - 1];
}
__device__ int from_right(const int* s, int t) {
  __syncthreads();  // @B
  return s[t + 1];
}
__global__ void neighbours(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  out[t] = t / 32 ? from_left(s, t) : from_right(s, t);
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  neighbours<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[40] = %d\n", h[40]);
  CK(cudaFree(out));
}
