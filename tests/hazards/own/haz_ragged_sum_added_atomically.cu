// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: K4
// why: each warp adds its sum to a total; the last warp is ragged, and its sum contains what lanes outside of the mask brought
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffffu, i < n);
  if (i >= n) return;
  float v = in[i];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(mask, v, d);  // @A
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
int main() {
  const int n = 85;
  float h[n], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(float)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof(float)));
  k<<<2, 64>>>(in, out, n);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof(float), cudaMemcpyDeviceToHost));
  std::printf("%f\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
