// SPDX-License-Identifier: Apache-2.0
// A library allocates and launches for the program: the lines that the program's author can mend are here.
#include "thrust/thrust/fill.cuh"

int main() {
  float* values = thrust::allocate<float>(16);
  thrust::fill(values, 20, 1.0f);
  cudaDeviceSynchronize();
}
