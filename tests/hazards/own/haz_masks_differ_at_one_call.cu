// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: deadlock
// hw: silent
// row: K3
// why: the lower half of the warp names all lanes, the upper half only itself, at one and the same shuffle
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void mixed(int* out) {
  const int lane = threadIdx.x;
  const unsigned mask = lane < 16 ? 0xffffffffu : 0xffff0000u;
  out[lane] = __shfl_xor_sync(mask, lane, 1);  // @A
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  mixed<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
