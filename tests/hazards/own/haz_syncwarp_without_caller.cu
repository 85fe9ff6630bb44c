// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: K1
// why: all lanes call __syncwarp with a mask that leaves out lane 0
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void shift(int* out) {
  __shared__ int s[32];
  const int lane = threadIdx.x;
  if (lane > 0) s[lane - 1] = lane;
  __syncwarp(0xfffffffeu);  // @A
  if (lane > 0 && lane < 31) out[lane] = s[lane];
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemset(out, 0, sizeof h));
  shift<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[1] = %d\n", h[1]);
  CK(cudaFree(out));
}
