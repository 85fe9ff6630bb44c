// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R8
// why: each block raises its flag for the first, which lowers none and raises those of all; only the flags are handed over
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void meet(int* words) {
  volatile int* in = words;
  volatile int* out = words + 4;
  const unsigned block = blockIdx.x;
  for (int round = 1; round <= 3; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) in[block] = round;
    if (block == 0) {
      if (threadIdx.x < gridDim.x) {
        while (in[threadIdx.x] != round) {
        }
      }
      __syncthreads();
      if (threadIdx.x < gridDim.x) out[threadIdx.x] = round;
    }
    if (threadIdx.x == 0) {
      while (out[block] != round) {
      }
    }
  }
}

int main() {
  int *d, h[8];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  meet<<<4, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("%s\n", h[0] == 3 && h[7] == 3 ? "PASS" : "FAIL");
  return !(h[0] == 3 && h[7] == 3);
}
