// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: K4
// why: the upper lanes of the part store what they get from lanes outside of the mask, plus one
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void next_of_half(int* out) {
  const int lane = threadIdx.x;
  if (lane < 16) out[lane] = __shfl_down_sync(0xffff, lane, 4) + 1;  // @A
}

int main() {
  int h[32], *d;
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  next_of_half<<<1, 32>>>(d);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[0] == 5 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
