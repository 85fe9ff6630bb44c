// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: M1
// why: device arrays of odd sizes are used to their last element and through pointers past the end
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ char flags[7];
__device__ short half[5];
__device__ double sums[3];
__constant__ int limits[3] = {7, 5, 3};
__device__ int total;
__device__ int* where = &total;
__global__ void fill() {
  for (char* p = flags; p != flags + 7; ++p) *p = 1;
  for (short* p = half; p != half + limits[1]; ++p) *p = 2;
  for (double& sum : sums) sum = 3;
  *where = flags[6] + half[4] + static_cast<int>(sums[limits[2] - 1]);
}

int main() {
  int h = 0;
  fill<<<1, 1>>>();
  CK(cudaMemcpyFromSymbol(&h, total, sizeof h));
  std::puts(h == 6 ? "PASS" : "FAIL");
  return h != 6;
}
