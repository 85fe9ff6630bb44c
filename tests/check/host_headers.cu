// SPDX-License-Identifier: Apache-2.0
// Code of headers that know nothing of CUDA, and of the C++ library, uses memory of devices; kernels copy structures
// that are not aligned, in a function of both sides and by themselves.
#include <cstdio>
#include <cstring>
#include <numeric>

#include "host_headers.hpp"

template <class T>
__host__ __device__ void copy(T* to, const T* from) {
  *to = *from;
}

__global__ void fill(int* to) {
  to[threadIdx.x] = threadIdx.x;
}

__global__ void move(float* to) {
  copy(reinterpret_cast<float4*>(to + 4), reinterpret_cast<float4*>(to + 9));
}

int main(int argc, char** argv) {
  const auto asked = [&](const char* name) { return argc > 1 && std::strcmp(argv[1], name) == 0; };
  int* managed = nullptr;
  int* of_device = nullptr;
  cudaMallocManaged(&managed, 64 * sizeof(int));
  cudaMalloc(&of_device, 64 * sizeof(int));
  std::fill(managed, managed + 64, 1);
  fill<<<1, 32>>>(managed);
  if (asked("compares")) std::printf("%d\n", are_equal(managed[0], 5));
  if (asked("sums")) std::printf("%d\n", View<int>(managed, 32).sum());
  if (asked("accumulates")) std::printf("%d\n", std::accumulate(managed, managed + 32, 0));
  cudaDeviceSynchronize();
  if (asked("clears")) clear(reinterpret_cast<double*>(of_device));
  if (asked("vector")) std::vector<int>(of_device, of_device + 64).clear();
  if (asked("moves")) {
    move<<<1, 1>>>(reinterpret_cast<float*>(of_device));
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  }
}
