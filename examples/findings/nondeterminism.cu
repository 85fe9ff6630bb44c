// SPDX-License-Identifier: Apache-2.0
//
// A sum of floats by atomics, which depends on the order of the additions, and a sum of whole numbers, which does not.
#include <cstdio>

__global__ void sum_all(const float* in, float* sum) {
  atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);  // (a + b) + c is not a + (b + c)
}

__global__ void sum_in_fixed_point(const float* in, unsigned long long* sum) {
  atomicAdd(sum, static_cast<unsigned long long>(in[blockIdx.x * blockDim.x + threadIdx.x] * 1024));
}

int main() {
  float values[64], *in, *sum, total;
  for (int i = 0; i < 64; ++i) values[i] = i == 0 ? 1e8f : 1.25f;
  unsigned long long *fixed, whole;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&sum, sizeof total);
  cudaMalloc(&fixed, sizeof whole);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof total);
  cudaMemset(fixed, 0, sizeof whole);
  sum_in_fixed_point<<<2, 32>>>(in, fixed);
  sum_all<<<2, 32>>>(in, sum);
  cudaMemcpy(&whole, fixed, sizeof whole, cudaMemcpyDeviceToHost);
  cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
  std::printf("in fixed point %.2f\nsum %.0f\n", whole / 1024.0, total);
}
