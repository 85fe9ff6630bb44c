// SPDX-License-Identifier: Apache-2.0
// Memory that is freed at one return of a function and not at the other; corrected, the function has one return.
#include <cstdio>

__global__ void largest(const int* in, int n, int* out) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicMax(out, in[i]);
}

bool largest_of(const int* numbers, int n) {
  int* in;
  int* out;
  int result = 0;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, numbers, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(int));
  largest<<<1, 64>>>(in, n, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
#ifndef CORRECT
  if (result == 0) return false;
#endif
  cudaFree(in);
  cudaFree(out);
  return result != 0;
}

int main() {
  const int zeros[100] = {};
  for (int i = 0; i < 3; ++i) std::printf("%s\n", largest_of(zeros, 100) ? "yes" : "no");
}
