// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: silent
// row: A3
// why: a prefetch of two tiles waits for all but two batches, so the tile that is used may still be on its way
#include <cstdio>
#include <cstdlib>
#include <cuda_pipeline.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void sums(const float4* in, float* out, int tiles) {
  __shared__ float4 stage[3][32];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 2; ++k) {
    __pipeline_memcpy_async(&stage[k][t], &in[k * 32 + t], sizeof(float4));  // @A
    __pipeline_commit();
  }
  for (int k = 0; k < tiles; ++k) {
    if (k + 2 < tiles) __pipeline_memcpy_async(&stage[(k + 2) % 3][t], &in[(k + 2) * 32 + t], sizeof(float4));
    __pipeline_wait_prior(2);
    sum += stage[k % 3][t].x;  // @B
    __pipeline_commit();
  }
  __pipeline_wait_prior(0);
  out[t] = sum;
}

int main() {
  float4* in;
  float* out;
  CK(cudaMalloc(&in, 6 * 32 * sizeof(float4)));
  CK(cudaMalloc(&out, 32 * sizeof(float)));
  CK(cudaMemset(in, 0, 6 * 32 * sizeof(float4)));
  sums<<<1, 32>>>(in, out, 6);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
