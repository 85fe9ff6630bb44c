// SPDX-License-Identifier: Apache-2.0
// Indices beyond the bounds of variables, elements of a null pointer, and a value that threads of a warp, a block and a
// grid read without order.
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

__global__ void follow(const int* nowhere, int* out) {
  out[threadIdx.x] = nowhere[threadIdx.x + 1];
}

int main(int, char** arguments) {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  if (std::strcmp(arguments[1], "index") == 0) count_down<<<1, 1>>>(out);
  if (std::strcmp(arguments[1], "rows") == 0) read_rows<<<1, 3>>>(out);
  if (std::strcmp(arguments[1], "null") == 0) follow<<<1, 64>>>(nullptr, out);
  if (std::strcmp(arguments[1], "race") == 0) raise<<<2, 64>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
