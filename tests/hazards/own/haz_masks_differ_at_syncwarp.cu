// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: deadlock
// hw: may-hang
// row: K3
// why: the upper half waits for all lanes, the lower half only for itself, at one __syncwarp
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void exchange(int* out) {
  const int lane = threadIdx.x;
  const unsigned mask = lane < 16 ? 0x0000ffffu : 0xffffffffu;
  int v = lane + 100;
  v = v; __syncwarp(mask);  // @A
  out[lane] = v;
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  exchange<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
