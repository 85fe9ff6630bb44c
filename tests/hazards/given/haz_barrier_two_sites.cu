// expect: barrier-divergence
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// why: odd and even lanes wait at two different __syncthreads statements
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void split(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  int v;
  if (t & 1) {
    __syncthreads();  // @A
    v = s[t - 1];
  } else {
    __syncthreads();  // @B
    v = s[t + 1];
  }
  out[t] = v;
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  split<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
