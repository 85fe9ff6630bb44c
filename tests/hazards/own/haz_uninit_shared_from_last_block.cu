// expect: uninit-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M7
// why: the second launch expects the shared memory that the first one left behind
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void carry(int* out, bool first) {
  extern __shared__ int s[];
  if (first) s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = 2 * s[threadIdx.x];  // @A
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  carry<<<1, 32, sizeof h>>>(out, true);
  carry<<<1, 32, sizeof h>>>(out, false);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[31] = %d\n", h[31]);
  CK(cudaFree(out));
}
