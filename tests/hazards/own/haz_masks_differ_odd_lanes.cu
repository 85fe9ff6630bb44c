// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: deadlock
// hw: may-hang
// row: K3
// why: odd lanes name the whole warp at a shuffle, even lanes name only each other and go on
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void exchange(int* out) {
  const int lane = threadIdx.x;
  const unsigned mask = (lane & 1) ? 0xffffffffu : 0x55555555u;
  int v = lane + 100;
  v = __shfl_sync(mask, v, lane);  // @A
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
