// expect: benign-race
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: race-global
// hw: ok
// row: R13
// why: two blocks store the same candidate, a vector of four, to one place
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void best(const float4* candidates, float4* chosen) {
  const float4 mine = candidates[blockIdx.x * blockDim.x + threadIdx.x];
  if (mine.w < 1) return;
  *chosen = candidates[blockIdx.x * blockDim.x + threadIdx.x];  // @A @B
}

int main() {
  float4 h[64], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = make_float4(1, 1, 1, i % 32 == 5 ? 7.0f : 0);
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(float4)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  best<<<2, 32>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof(float4), cudaMemcpyDeviceToHost));
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", h[0].w != 7 ? "FAIL" : "PASS");
  return h[0].w != 7;
}
