// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R1
// why: threads of a block count into shared bins with an ordinary increment
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void histogram(const int* in, int* out) {
  __shared__ int bins[8];
  const int t = threadIdx.x;
  if (t < 8) bins[t] = 0;
  __syncthreads();
  bins[in[t] % 8]++;  // @A @B
  __syncthreads();
  if (t < 8) out[t] = bins[t];
}

int main() {
  int h[96], r[8], *in, *out;
  for (int i = 0; i < 96; ++i) h[i] = i * i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof r));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  histogram<<<1, 96>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  std::printf("bin 0: %d\n", r[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
