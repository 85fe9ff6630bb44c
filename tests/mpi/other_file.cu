// SPDX-License-Identifier: Apache-2.0
#include "ranks.h"

__global__ void square(int number, int* out) {
  *out = number * number;
}

int of_other_file(int number) {
  int* out = nullptr;
  cudaMallocManaged(&out, sizeof(int));
  square<<<1, 1>>>(number, out);
  cudaDeviceSynchronize();
  const int result = *out;
  cudaFree(out);
  return result;
}
