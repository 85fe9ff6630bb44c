// SPDX-License-Identifier: Apache-2.0
// The other half: launches a kernel of another file, and one through a function of it.
#include <cstdio>

#include "kernels.cuh"

int main() {
  int values[SIZE];
  for (int i = 0; i < SIZE; ++i) values[i] = i;
  int* data = nullptr;
  if (cudaMalloc(&data, sizeof values) != cudaSuccess) return 1;
  cudaMemcpy(data, values, sizeof values, cudaMemcpyHostToDevice);
  reverse<<<1, SIZE>>>(data);
  launch_scale(data);
  const cudaError_t error = cudaMemcpy(values, data, sizeof values, cudaMemcpyDeviceToHost);
  cudaFree(data);
  bool good = error == cudaSuccess;
  for (int i = 0; i < SIZE; ++i) good = good && values[i] == 3 * (SIZE - 1 - i);
  std::printf("%s: %s\n", good ? "PASS" : "FAIL", cudaGetErrorString(error));
  return good ? 0 : 1;
}
