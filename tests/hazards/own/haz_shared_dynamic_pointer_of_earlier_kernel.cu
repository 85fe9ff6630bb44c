// expect: oob-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M2
// why: a kernel writes through the address of the dynamic shared memory of the kernel before it, and has such memory itself
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Tile {
  float* values;
};

__device__ Tile tile;

__global__ void load() {
  extern __shared__ float loaded[];
  loaded[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) tile.values = loaded;
}
__global__ void store(float* out) {
  extern __shared__ float mine[];
  mine[threadIdx.x] = 1;
  __syncthreads();
  tile.values[threadIdx.x] = 5;  // @A
  __syncthreads();
  out[threadIdx.x] = mine[threadIdx.x];
}

int main() {
  float* out;
  CK(cudaMalloc(&out, 32 * sizeof(float)));
  load<<<1, 32, 32 * sizeof(float)>>>();
  store<<<1, 32, 64 * sizeof(float)>>>(out);
  CK(cudaDeviceSynchronize());
}
