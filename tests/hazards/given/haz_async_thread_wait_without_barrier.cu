// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// also-ok: async-hazard,uninit-shared
// hw: silent
// why: __pipeline_wait_prior covers the caller's own copies only; another thread's slot is read without a barrier
#include <cstdio>
#include <cstdlib>
#include <cuda_pipeline.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void stage(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(int));  // @A
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[127 - t];                                  // @B  __syncthreads() is missing
}

int main() {
  int h[128], *in, *out;
  for (int i = 0; i < 128; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  stage<<<1, 128>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < 128; ++i) bad += h[i] != 127 - i;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
