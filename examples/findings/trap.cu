// SPDX-License-Identifier: Apache-2.0
//
// A division by an integer that may be zero, and a kernel that stops itself.
//   trap: the division; trap stop: the kernel that stops itself
#include <cstdio>

__global__ void share(const int* sizes, int* out, int total) {
  const int n = sizes[threadIdx.x];
  out[threadIdx.x] = total / n;  // some sizes are zero
}

__global__ void share_or_zero(const int* sizes, int* out, int total) {
  const int n = sizes[threadIdx.x];
  out[threadIdx.x] = n != 0 ? total / n : 0;
}

__global__ void check(const int* in) {
  if (in[threadIdx.x] == 0) __trap();
}

int main(int argc, char**) {
  int *sizes, *out;
  cudaMalloc(&sizes, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(sizes, 0, 32 * sizeof(int));
  share_or_zero<<<1, 32>>>(sizes, out, 100);
  if (argc > 1) check<<<1, 32>>>(sizes);
  share<<<1, 32>>>(sizes, out, 100);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
