// expect: async-hazard
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: core
// hw: silent
// row: A3
// why: a ring of three stages waits until two batches are left, though the one it reads is the second
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#include <cuda_pipeline.h>

constexpr int STAGES = 3;

__global__ void sums(const int* in, int* out, int tiles) {
  __shared__ int ring[STAGES][32];
  const int t = threadIdx.x;
  for (int i = 0; i < STAGES - 1; ++i) {
    __pipeline_memcpy_async(&ring[i][t], &in[32 * i + t], sizeof(int));  // @A
    __pipeline_commit();
  }
  int sum = 0;
  for (int i = 0; i < tiles; ++i) {
    __pipeline_wait_prior(STAGES - 1);  // STAGES - 2 is right
    sum += ring[i % STAGES][t];         // @B
    const int next = i + STAGES - 1;
    if (next < tiles) __pipeline_memcpy_async(&ring[next % STAGES][t], &in[32 * next + t], sizeof(int));
    __pipeline_commit();
  }
  __pipeline_wait_prior(0);
  out[t] = sum;
}

int main() {
  int h[256], *in, *out;
  for (int i = 0; i < 256; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sums<<<1, 32>>>(in, out, 8);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("sum %d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
