// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: core
// also-ok: async-hazard
// hw: silent
// row: A5
// why: two stages with the primitives: no barrier at the end of the round, so a fast warp refills a stage that others read
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#include <cuda_pipeline.h>

__global__ void mix(const int* in, int* out, int tiles) {
  __shared__ int stage[2][64];
  const int t = threadIdx.x;
  int sum = 0;
  __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  for (int i = 0; i < tiles; ++i) {
    if (i + 1 < tiles) __pipeline_memcpy_async(&stage[(i + 1) & 1][t], &in[64 * (i + 1) + t], sizeof(int));  // @B
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += stage[i & 1][63 - t];  // @A
  }
  out[t] = sum;
}

int main() {
  int h[256], *in, *out;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, 64 * sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  mix<<<1, 64>>>(in, out, 4);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("sum %d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
