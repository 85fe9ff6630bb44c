// expect: oob-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: M3
// why: the tile has half as many elements as the block has threads, so both the stores and the loads leave it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

constexpr int kThreads = 256;

__global__ void rotate(const int* in, int* out) {
  __shared__ int tile[kThreads / 2];
  tile[threadIdx.x] = in[threadIdx.x];  // @A
  __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + 1) % blockDim.x];
}

int main() {
  int *in, *out;
  CK(cudaMalloc(&in, kThreads * sizeof(int)));
  CK(cudaMalloc(&out, kThreads * sizeof(int)));
  CK(cudaMemset(in, 0, kThreads * sizeof(int)));
  rotate<<<1, kThreads>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
