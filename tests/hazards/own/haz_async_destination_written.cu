// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// also-ok: race-shared
// hw: silent
// row: A1
// why: a thread pads its slot while its own copy into it is still under way
#include <cstdio>
#include <cstdlib>
#include <cuda_pipeline.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void load(const int* in, int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(int));  // @A
  __pipeline_commit();
  if (t >= n) s[t] = 0;                                 // @B
  __pipeline_wait_prior(0);
  out[t] = s[t];
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  load<<<1, 64>>>(in, out, 50);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[63] = %d\n", h[63]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
