// expect: bad-mask
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: K4
// why: an average over the first ten lanes adds what shuffles bring from lanes that the mask leaves out
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(const float* in, float* out, int n) {
  const int lane = threadIdx.x;
  if (lane < n) {
    const unsigned mask = (1u << n) - 1;
    float v = in[lane];
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);  // @A
    if (lane == 0) *out = v / n;
  }
}
int main() {
  float h[10], *in, *out;
  for (int i = 0; i < 10; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(float)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  k<<<1, 32>>>(in, out, 10);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof(float), cudaMemcpyDeviceToHost));
  std::printf("%f\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
