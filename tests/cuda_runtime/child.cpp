// SPDX-License-Identifier: Apache-2.0
// Programs that make mistakes with CUDA's runtime; the first argument names one.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace {

int mistakes() {
  char* memory = nullptr;
  char host[128] = {};
  cudaMalloc(&memory, std::size_t{1} << 40);
  cudaMalloc(&memory, 100);
  cudaMemcpy(host, host + 1, 1, cudaMemcpyHostToDevice);
  cudaMemcpy(memory, host, 101, cudaMemcpyHostToDevice);
  cudaFree(memory + 4);
  cudaFree(memory);
  cudaFree(memory);
  cudaSetDevice(3);
  cudaFreeArray(reinterpret_cast<cudaArray_t>(host));
  return 0;
}

int asking() {
  char* memory = nullptr;
  std::printf("%s\n", cudaGetErrorString(cudaMalloc(&memory, std::size_t{1} << 40)));
  return 0;
}

int fine() {
  char* memory = nullptr;
  cudaMalloc(&memory, 100);
  cudaFree(memory);
  return 0;
}

int unmodelled() {
  cudaGraph_t graph = nullptr;
  const cudaError_t first = cudaGraphCreate(&graph, 0);
  const cudaError_t second = cudaGraphCreate(&graph, 0);
  std::printf("%d %d\n", first, second);
  return 0;
}

int peers() {
  int count = 0;
  int can = 0;
  cudaGetDeviceCount(&count);
  cudaDeviceCanAccessPeer(&can, 0, 1);
  const cudaError_t enabled = cudaDeviceEnablePeerAccess(1, 0);
  const cudaError_t again = cudaDeviceEnablePeerAccess(1, 0);
  const cudaError_t disabled = cudaDeviceDisablePeerAccess(1);
  const cudaError_t no_more = cudaDeviceDisablePeerAccess(1);
  cudaGetErrorName(no_more);
  std::printf("%d %d %d %d %d %d\n", count, can, enabled, again, disabled, no_more);
  return 0;
}

struct Mode {
  const char* name;
  int (*run)();
};

constexpr Mode kModes[] = {
    {"mistakes", mistakes}, {"asking", asking}, {"fine", fine}, {"unmodelled", unmodelled}, {"peers", peers},
};

}  // namespace

int main(int count, char** arguments) {
  for (const Mode& mode : kModes) {
    if (count == 2 && std::strcmp(arguments[1], mode.name) == 0) return mode.run();
  }
  return 2;
}
