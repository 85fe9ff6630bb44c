// expect: oob-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M2
// why: the second launch of a kernel reads through the address of the table that the first one had
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ const int* table;

__global__ void look_up(int round, int* out) {
  __shared__ int squares[32];
  squares[threadIdx.x] = round * threadIdx.x;
  __syncthreads();
  if (round == 1) {
    if (threadIdx.x == 0) table = squares;
    out[threadIdx.x] = squares[31 - threadIdx.x];
  } else {
    out[threadIdx.x] = squares[31 - threadIdx.x] + table[threadIdx.x];  // @A
  }
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  for (int round = 1; round <= 2; ++round) look_up<<<1, 32>>>(round, out);
  CK(cudaDeviceSynchronize());
}
