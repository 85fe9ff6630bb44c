// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: K4
// why: the lower half shuffles down by eight and uses what its upper lanes get from outside the mask
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fold(int* out) {
  const int lane = threadIdx.x;
  int v = lane;
  if (lane < 16) v += __shfl_down_sync(0x0000ffffu, v, 8);  // @A
  out[lane] = v;
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  fold<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[15] = %d\n", h[15]);
  CK(cudaFree(out));
}
