// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R13
// why: looks like the harmless flag store, but every thread stores its own number
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void any_negative(const int* in, int* out) {
  __shared__ int who;
  if (threadIdx.x == 0) who = -1;
  __syncthreads();
  if (in[threadIdx.x] < 0) who = threadIdx.x;  // @A @B
  __syncthreads();
  if (threadIdx.x == 0) *out = who;
}

int main() {
  int h[64], r = 0, *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = i % 3 - 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  any_negative<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&r, out, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("who %d\n", r);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
