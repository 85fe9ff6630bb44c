// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// also-ok: race-global
// hw: silent
// row: A2
// why: each thread stores its next value over the source of its own copy, which may not have been read yet
#include <cstdio>
#include <cstdlib>
#include <cuda_pipeline.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void swap(int* buffer, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &buffer[t], sizeof(int));  // @A
  __pipeline_commit();
  buffer[t] = -t;                                           // @B
  __pipeline_wait_prior(0);
  out[t] = s[t];
}

int main() {
  int h[64], *buffer, *out;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&buffer, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(buffer, h, sizeof h, cudaMemcpyHostToDevice));
  swap<<<1, 64>>>(buffer, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[63] = %d\n", h[63]);
  CK(cudaFree(buffer));
  CK(cudaFree(out));
}
