// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// why: 16 lanes shuffle correctly among themselves but read from lane 20, which does not take part
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fetch(int* out) {
  const int lane = threadIdx.x;
  int v = lane;
  if (lane < 16) v = __shfl_sync(0x0000ffffu, v, 20);  // @A
  out[lane] = v;
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  fetch<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("lane 0 got %d\n", h[0]);
  CK(cudaFree(out));
}
