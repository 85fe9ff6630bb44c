// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M15
// why: __constant__ and __device__ variables are set by the host between launches and read by kernels
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__constant__ int table[4];
__device__ int total;
__global__ void add() { atomicAdd(&total, table[threadIdx.x % 4]); }

int main() {
  int h[4] = {1, 2, 3, 4}, r = 0;
  for (int round = 0; round < 2; ++round) {
    CK(cudaMemcpyToSymbol(table, h, sizeof h));
    add<<<1, 32>>>();
    CK(cudaGetLastError());
    CK(cudaMemcpyFromSymbol(&r, total, sizeof r));
    for (int& each : h) each *= 10;
  }
  std::printf("%s\n", r != 880 ? "FAIL" : "PASS");
  return r != 880;
}
