// SPDX-License-Identifier: Apache-2.0
//
// What C++17 allows and C++20, to which CUDA source is translated, does not: programs that were written for the older
// language build and mean the same.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

using namespace std;

// C++20 has a std::lerp of these types.
__host__ __device__ float lerp(float a, float b, float t) {
  return a + t * (b - a);
}

// Functions of POSIX, which no header of the standard library may bring along.
int *link, *read, pipe, access[4];
float pause;
cudaError_t sync() {
  return cudaDeviceSynchronize();
}

__global__ void mix(float* p) {
  *p = lerp(p[1], p[2], 0.5F);
}

int main() {
  float* p = nullptr;
  cudaMallocManaged(&p, 3 * sizeof(float));
  p[1] = 2;
  p[2] = 4;
  mix<<<1, 1>>>(p);
  const bool right = sync() == cudaSuccess && *p == lerp(2.0F, 4.0F, 0.5F);
  cudaFree(p);
  puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
