// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M1
// why: a stencil of radius one reads the coefficient behind the last of a constant table
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__constant__ float weights[4] = {0.25f, 0.5f, 0.25f, 0.125f};
__constant__ float bias[4] = {1, 1, 1, 1};
__global__ void smooth(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = bias[threadIdx.x % 4];
  for (int k = 0; k <= 4; ++k) sum += weights[k] * in[(i + k) % n];  // @A
  out[i] = sum;
}

int main() {
  const int n = 64;
  float *in, *out;
  CK(cudaMalloc(&in, n * sizeof(float)));
  CK(cudaMalloc(&out, n * sizeof(float)));
  CK(cudaMemset(in, 0, n * sizeof(float)));
  smooth<<<2, 32>>>(in, out, n);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
