// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: bad-mask
// hw: ok
// row: K4
// why: sums over half warps with a mask for each half: the upper lanes of each half add what nobody asks for
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(const float* in, float* out) {
  const int t = threadIdx.x, half = t / 16 % 2;
  const unsigned mask = half ? 0xffff0000u : 0x0000ffffu;
  float v = in[t];
  for (int d = 8; d > 0; d >>= 1) v += __shfl_down_sync(mask, v, d);
  if (t % 16 == 0) atomicAdd(&out[half], v);
}
int main() {
  float h[64], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, 2 * sizeof(float)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, 2 * sizeof(float)));
  k<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, 2 * sizeof(float), cudaMemcpyDeviceToHost));
  const bool good = h[0] == 120 + 632 && h[1] == 376 + 888;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", good ? "PASS" : "FAIL");
  return !good;
}
