// SPDX-License-Identifier: Apache-2.0
//
// Thread 0 publishes the address of its local array; corrected, the array is in shared memory.
#include <cstdio>

__global__ void leak(int* out) {
  __shared__ int* published;
  int mine[4] = {100 + int(threadIdx.x), 1, 2, 3};
  if (threadIdx.x == 0) published = mine;
  __syncthreads();
  out[threadIdx.x] = *published;  // thread 0's array? On a device: the reader's own
}

__global__ void share(int* out) {
  __shared__ int published[4];
  if (threadIdx.x == 0)
    for (int i = 0; i < 4; ++i) published[i] = i == 0 ? 100 : i;
  __syncthreads();
  out[threadIdx.x] = published[0];
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  share<<<1, 32>>>(out);
  leak<<<1, 32>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
