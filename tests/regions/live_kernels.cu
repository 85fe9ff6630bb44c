// SPDX-License-Identifier: Apache-2.0
// Blocks that take longer than the watchdog waits, and get on all the time: live_kernels NUMBER STEPS.
#include <cstdio>
#include <cstdlib>

__device__ unsigned work(unsigned x, unsigned steps) {
  for (unsigned i = 0; i < steps; ++i) x = (x * 1664525u + 1013904223u) ^ (x >> 7);
  return x;
}

__global__ void barriers(unsigned* out, unsigned steps) {
  __shared__ unsigned shared[256];
  unsigned x = threadIdx.x;
  for (int round = 0; round < 200; ++round) {
    shared[threadIdx.x] = work(x, steps);
    __syncthreads();
    x = shared[255 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = x;
}

/// Whose memory does not change.
__global__ void shuffles(unsigned* out, unsigned steps) {
  unsigned x = threadIdx.x;
  for (int round = 0; round < 200; ++round) {
    x = work(x, steps);
    x = x * 3 + __shfl_xor_sync(~0u, x, 5);
  }
  out[threadIdx.x] = x;
}

/// Few barriers, much between them.
__global__ void long_regions(unsigned* out, unsigned steps) {
  __shared__ unsigned shared[256];
  shared[threadIdx.x] = work(threadIdx.x, steps * 100);
  __syncthreads();
  out[threadIdx.x] = work(shared[255 - threadIdx.x], steps * 100);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  void (*const kernels[])(unsigned*, unsigned) = {barriers, shuffles, long_regions};
  unsigned* out;
  cudaMallocManaged(&out, 1024);
  kernels[atoi(words[1])]<<<1, 256>>>(out, static_cast<unsigned>(atoi(words[2])));
  const cudaError_t status = cudaDeviceSynchronize();
  unsigned hash = 0;
  for (int i = 0; i < 256; ++i) hash = hash * 31 + out[i];
  printf("%s %08x\n", cudaGetErrorName(status), hash);
  return status != cudaSuccess;
}
