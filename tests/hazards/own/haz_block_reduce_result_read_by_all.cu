// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R1
// why: a block reduction in a helper returns the total from shared memory, and the next call overwrites it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int block_sum(int value) {
  __shared__ int partial[4];
  for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;  // @B
  __syncthreads();
  return partial[0] + partial[1] + partial[2] + partial[3];  // @A
}
__global__ void moments(const int* in, int* out) {
  const int v = in[threadIdx.x];
  const int sum = block_sum(v);
  const int squares = block_sum(v * v);
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = squares;
  }
}

int main() {
  int *in, *out;
  CK(cudaMalloc(&in, 128 * sizeof(int)));
  CK(cudaMalloc(&out, 2 * sizeof(int)));
  CK(cudaMemset(in, 0, 128 * sizeof(int)));
  moments<<<1, 128>>>(in, out);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
