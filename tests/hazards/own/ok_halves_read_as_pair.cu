// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R3
// why: single halves are written, and read as pairs after a barrier
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void pairs(float* out) {
  __shared__ __align__(4) __half s[64];
  s[threadIdx.x] = __float2half(float(threadIdx.x));
  __syncthreads();
  if (threadIdx.x < 32) {
    __half2 two = reinterpret_cast<__half2*>(s)[threadIdx.x];
    out[threadIdx.x] = __low2float(two) + __high2float(two);
  }
}

int main() {
  float h[32], *d;
  CK(cudaMalloc(&d, sizeof h));
  pairs<<<1, 64>>>(d);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[31] == 125 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
