// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: a memset for the next round runs in another stream than the kernel that still adds to the bins
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

template <int kBins>
__global__ void count(const unsigned char* in, int n, unsigned* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i] % kBins], 1u);  // @A
}

int main() {
  constexpr int n = 500;
  unsigned char h[n], *in;
  unsigned* bins;
  cudaStream_t work, clean;
  for (int i = 0; i < n; ++i) h[i] = static_cast<unsigned char>(i * 7);
  CK(cudaStreamCreate(&work));
  CK(cudaStreamCreate(&clean));
  CK(cudaMalloc(&in, n));
  CK(cudaMalloc(&bins, 16 * sizeof(unsigned)));
  CK(cudaMemcpy(in, h, n, cudaMemcpyHostToDevice));
  CK(cudaMemset(bins, 0, 16 * sizeof(unsigned)));
  CK(cudaDeviceSynchronize());
  count<16><<<4, 128, 0, work>>>(in, n, bins);
  CK(cudaMemsetAsync(bins, 0, 16 * sizeof(unsigned), clean));  // @B
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(bins));
  CK(cudaStreamDestroy(work));
  CK(cudaStreamDestroy(clean));
  return 0;
}
