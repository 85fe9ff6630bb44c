// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: K3
// why: one shuffle, two masks: each half of the warp names exactly itself
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void halves(int* out) {
  const int lane = threadIdx.x;
  const unsigned mask = 0xffffu << lane / 16 * 16;
  int v = lane;
  for (int i = 0; i < 3 + lane / 16; ++i) v = __shfl_sync(mask, v, lane / 16 * 16 + (lane + 1) % 16);
  out[lane] = v;
}

int main() {
  int h[32], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  halves<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += h[i] != i / 16 * 16 + (i + 3 + i / 16) % 16;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
