// SPDX-License-Identifier: Apache-2.0
//
// Races whose fix the program does not take: it does not build with it, or, with "fails", it returns an error.
#include <cstring>

__global__ void rotate(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = s[(threadIdx.x + 1) % 64];
}

#define __syncthreads() no_such_function()

__global__ void rotate_without_barriers(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = s[(threadIdx.x + 1) % 64];
}

int main(int count, char** arguments) {
  const bool fails = count > 1 && std::strcmp(arguments[1], "fails") == 0;
  int* out = nullptr;
  cudaMallocManaged(&out, 64 * sizeof(int));
  (fails ? rotate : rotate_without_barriers)<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  return fails && out[31] == 32 ? 200 : 0;  // thread 31 has waited for thread 32
}
