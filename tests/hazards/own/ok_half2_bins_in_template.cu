// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R1
// why: pairs of half numbers are added to shared bins by atomics and flushed after a barrier, by a template over the block
#include <cuda_fp16.h>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

template <int kBins>
struct Bins {
  __half2 sum[kBins];
};
template <int kBins>
__global__ void gather(const __half* in, __half2* out, int n) {
  __shared__ Bins<kBins> bins;
  const int t = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
  for (int i = t; i < kBins; i += threads) bins.sum[i] = __float2half2_rn(0);
  __syncthreads();
  for (int i = t; i < n; i += threads) atomicAdd(&bins.sum[i % kBins], __halves2half2(in[i], __float2half(1)));
  __syncthreads();
  if (t < kBins) out[t] = bins.sum[t];
}

int main() {
  __half h[160], *in;
  __half2 got[8], *out;
  int bad = 0;
  for (int i = 0; i < 160; ++i) h[i] = __float2half(float(i % 8));
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof got));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  gather<8><<<1, dim3(16, 3)>>>(in, out, 160);
  CK(cudaGetLastError());
  CK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i) bad += __low2float(got[i]) != float(20 * i) || __high2float(got[i]) != 20;
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
