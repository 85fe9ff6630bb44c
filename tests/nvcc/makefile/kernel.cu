// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

__global__ void twice(int* values) {
  values[threadIdx.x] *= 2;
}

int doubled(int value) {
  int* values;
  cudaMallocManaged(&values, sizeof(int));
  *values = value;
  twice<<<1, 1>>>(values);
  cudaDeviceSynchronize();
  return *values;
}
