// SPDX-License-Identifier: Apache-2.0
//
// Threads reach a barrier by different calls, and some of them never reach it.
#include <cstdio>

__device__ __noinline__ void meet() {
  __syncthreads();
}

__device__ __noinline__ void left(int* out) {
  out[threadIdx.x] = 1;
  meet();
}

__device__ __noinline__ void right(int* out) {
  out[threadIdx.x] = 2;
  meet();
}

__global__ void exchange(int* out, const int* done) {
  if (threadIdx.x >= 40) {
    while (atomicAdd(const_cast<int*>(done), 0) == 0) {  // no thread sets it
    }
  }
  if (threadIdx.x % 2 == 0)
    left(out);
  else
    right(out);
}

int main() {
  int *out, *done;
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMalloc(&done, sizeof(int));
  cudaMemset(done, 0, sizeof(int));
  exchange<<<1, 64>>>(out, done);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
