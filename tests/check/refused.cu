// SPDX-License-Identifier: Apache-2.0
// Calls that are refused, each in a line of its own. "handles", "unwritten": the program wants to know.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>

__constant__ float coefficients[8];

template <class T>
__global__ void fill(T* p, T value) {
  p[threadIdx.x] = value * static_cast<T>(coefficients[0]);
}

template <class T>
void upload(T* to, const T* from, std::size_t count) {
  cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice);  // line 17
}

void make_mistakes() {
  int host[64] = {};
  float values[8] = {};
  int* device;
  cudaMalloc(&device, sizeof host);
  upload(host, device, 64);  // from line 25
  cudaMemcpyToSymbol(coefficients, values, sizeof values);
  upload(coefficients, values, 8);  // from line 27
  cudaLaunchConfig_t config{};
  config.gridDim = 1;
  config.blockDim = 3000;
  cudaLaunchKernelEx(&config, fill<int>, device, 3);  // line 31
  cudaSetDevice(
      99);  // from line 32
  cudaFree(device);  // line 34
  cudaFree(device);
}

void handle_errors() {
  std::size_t bytes = ~std::size_t{0};
  void* memory;
  while (cudaMalloc(&memory, bytes) != cudaSuccess) bytes >>= 60;
  if (cudaSetDevice(99) != cudaSuccess) cudaSetDevice(0);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill<int>, 2048, 0);
  fill<<<1, 1>>>(static_cast<int*>(memory), 1);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

/// What is copied was not written by anybody, which has nothing to do with the error.
void copy_unwritten() {
  int host[64] = {};
  int* device;
  cudaMalloc(&device, sizeof host);
  if (cudaSetDevice(99) != cudaSuccess) cudaSetDevice(0);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);  // line 55
  cudaFree(device);
}

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "handles") == 0) {
    handle_errors();
  } else if (count > 1 && std::strcmp(arguments[1], "unwritten") == 0) {
    copy_unwritten();
  } else {
    make_mistakes();
  }
}
