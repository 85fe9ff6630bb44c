// SPDX-License-Identifier: Apache-2.0
// A loop whose length differs between the lanes of a warp: docs/counters.md.
__global__ void uneven(int* to) {
  int sum = 0;
  for (int i = 0; i < threadIdx.x; ++i) {
    if (i % 2 == 0) {
      sum += i;
    }
  }
  __syncthreads();
  if (threadIdx.x >= 16) {
    return;
  }
  __syncthreads();
  to[threadIdx.x] = sum;
}
int main() {
  int* to;
  cudaMalloc(&to, 128);
  uneven<<<2, 32>>>(to);
  cudaDeviceSynchronize();
}
