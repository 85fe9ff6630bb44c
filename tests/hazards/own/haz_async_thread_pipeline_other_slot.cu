// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// also-ok: async-hazard,uninit-shared
// hw: silent
// row: A4
// why: the pipeline is each thread's own, so its wait says nothing about the neighbour's copy
#include <cstdio>
#include <cstdlib>
#include <cuda/pipeline>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void load(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[t], &in[t], sizeof(int), pipe);  // @A
  pipe.producer_commit();
  pipe.consumer_wait();
  out[t] = s[t ^ 1];                                     // @B
  pipe.consumer_release();
}

int main() {
  int h[64], *in, *out, bad = 0;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  load<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += h[i] != (i ^ 1);
  std::printf("wrong %d\n", bad);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
