// SPDX-License-Identifier: Apache-2.0
// Allocations in reports of calls have the names that the host has for them.
#include <cstdio>
#include <cstring>

struct Buffers {
  float* parts[2];
};

__global__ void touch(int* memory) {
  memory[0] = 1;
}

int main(int argc, char** argv) {
  const char* mistake = argc > 1 ? argv[1] : "";
  int host[16] = {};
  int* small = nullptr;
  Buffers buffers;
  cudaMalloc(&small, 16);
  cudaMalloc((void**)&buffers.parts[1], 64);
  touch<<<1, 1>>>(small);
  if (std::strcmp(mistake, "copy") == 0) cudaMemcpy(small, host, sizeof host, cudaMemcpyHostToDevice);
  if (std::strcmp(mistake, "fill") == 0) cudaMemset(buffers.parts[1] + 2, 0, 64);
  if (std::strcmp(mistake, "free") == 0) cudaFree(small + 1);
  if (std::strcmp(mistake, "freed") == 0) cudaFree(small);
  touch<<<1, 1>>>(small);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(small);
}
