// SPDX-License-Identifier: Apache-2.0
// Indices beyond the bounds of variables, and a value that threads of a warp, a block and a grid read without order.
#include <cstring>

__device__ int rows[2][3];
__device__ int flag;

__global__ void read_rows(int* out) {
  out[threadIdx.x] = rows[threadIdx.x][0];
}

__global__ void count_down(int* out) {
  __shared__ int sums[4];
  for (int i = 3; i >= -1; --i) sums[i] = i;
  *out = sums[0];
}

__global__ void raise(int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) flag = 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] = flag;
}

int main(int, char** arguments) {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  if (std::strcmp(arguments[1], "index") == 0) count_down<<<1, 1>>>(out);
  if (std::strcmp(arguments[1], "rows") == 0) read_rows<<<1, 3>>>(out);
  if (std::strcmp(arguments[1], "race") == 0) raise<<<2, 64>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
