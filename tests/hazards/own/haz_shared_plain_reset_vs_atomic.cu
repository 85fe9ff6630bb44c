// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R4
// why: the counter is set to zero by thread 0 with no barrier before the others add to it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void count(int* out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;  // @A
  atomicAdd(&n, 1);             // @B
  __syncthreads();
  if (threadIdx.x == 0) *out = n;
}

int main() {
  int h = 0, *out;
  CK(cudaMalloc(&out, sizeof h));
  count<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("counted %d of 64\n", h);
  CK(cudaFree(out));
}
