// SPDX-License-Identifier: Apache-2.0
//
// Every thread frees the one block of memory; corrected, one thread does.
#include <cstdio>

__global__ void scratch() {
  __shared__ int* p;
  if (threadIdx.x == 0) p = static_cast<int*>(malloc(blockDim.x * sizeof(int)));
  __syncthreads();
  p[threadIdx.x] = threadIdx.x;
  __syncthreads();
  free(p);  // every thread frees the one block
}

__global__ void scratch_freed_once() {
  __shared__ int* p;
  if (threadIdx.x == 0) p = static_cast<int*>(malloc(blockDim.x * sizeof(int)));
  __syncthreads();
  p[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) free(p);
}

int main() {
  scratch_freed_once<<<1, 32>>>();
  scratch<<<1, 32>>>();
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
