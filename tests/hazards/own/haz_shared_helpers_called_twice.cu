// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R1
// why: the helpers are right in the first round; in the second the tile is filled while slower threads still read
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int N = 128;
__device__ __noinline__ void store(int* at, int value) {
  *at = value;  // @A
}
__device__ __noinline__ int load(const int* at) {
  return *at;  // @B
}
__device__ __noinline__ void fill(int* tile, int factor) {
  store(tile + threadIdx.x, factor * threadIdx.x);
}
__device__ __noinline__ int next(const int* tile) {
  __syncthreads();
  return load(tile + (threadIdx.x + 1) % N);
}
__global__ void rotate(int* out) {
  __shared__ int tile[N];
  fill(tile, 1);
  const int first = next(tile);
  fill(tile, 2);
  out[threadIdx.x] = first + next(tile);
}

int main() {
  int h[N], *out;
  CK(cudaMalloc(&out, sizeof h));
  rotate<<<1, N>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[40] = %d\n", h[40]);
  CK(cudaFree(out));
}
