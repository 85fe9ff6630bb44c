// expect: oob-index
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M3
// why: a private histogram with a bin too few for the largest value
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int kBins = 8;

__global__ void histogram(const int* in, int* out, int n) {
  int bins[kBins] = {};
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    bins[in[i]] += 1;  // @A
  }
  for (int i = 0; i < kBins; ++i) atomicAdd(&out[i], bins[i]);
}

int main() {
  int h[256], *in, *out;
  for (int i = 0; i < 256; ++i) h[i] = i % (kBins + 1);
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, kBins * sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, kBins * sizeof(int)));
  histogram<<<1, 32>>>(in, out, 256);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
