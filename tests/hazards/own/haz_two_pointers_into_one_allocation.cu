// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M2
// why: input and output share an allocation; the output ends beyond it, and the input is nearer to that end
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void scale(float4* out, const float4* in) {
  out[threadIdx.x + 36] = in[threadIdx.x % 4];  // @A
}

int main() {
  float4* pool;
  CK(cudaMalloc(&pool, 40 * sizeof(float4)));
  CK(cudaMemset(pool, 0, 40 * sizeof(float4)));
  scale<<<1, 8>>>(pool, pool + 32);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(pool));
}
