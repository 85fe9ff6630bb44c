// SPDX-License-Identifier: Apache-2.0
// Threads that wait in functions which are called from several places; the argument says what goes wrong.
#include <cstdio>
#include <cstring>

__device__ __noinline__ void meet(int* at) {
  at[threadIdx.x] = 1;
  __syncthreads();
  asm volatile("");
}
__device__ __noinline__ void left(int* at) {
  meet(at);
  asm volatile("");
}
__device__ __noinline__ void right(int* at) {
  meet(at + 64);
  asm volatile("");
}
__device__ __noinline__ void alone(int* at) {
  __syncthreads();
  at[128] = 1;
}
__device__ __noinline__ int first_of(unsigned mask, int value) {
  return __shfl_sync(mask, value, 0);
}

__global__ void two_barriers(int* at) {
  if (threadIdx.x % 2 == 0) {
    left(at);
  } else {
    alone(at);
  }
}

__global__ void flag_never_set(int* at, volatile int* flag) {
  if (threadIdx.x < 20) {
    left(at);
  } else if (threadIdx.x < 32) {
    right(at);
  } else {
    while (*flag == 0) {
    }
  }
}

__global__ void outside_mask(int* at) {
  at[threadIdx.x] = first_of(0xff00, 1);
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  int* at;
  cudaMalloc(&at, 256 * sizeof(int));
  cudaMemset(at, 0, 256 * sizeof(int));
  if (std::strcmp(how, "barriers") == 0) two_barriers<<<1, 64>>>(at);
  if (std::strcmp(how, "flag") == 0) flag_never_set<<<1, 64>>>(at, at + 200);
  if (std::strcmp(how, "mask") == 0) outside_mask<<<1, 16>>>(at);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
