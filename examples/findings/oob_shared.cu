// SPDX-License-Identifier: Apache-2.0
//
// Dynamic shared memory for 32 elements of which 64 are used, and an index that runs from one array into the next.
#include <cstdio>

__global__ void scratch(int* out) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = s[63 - t];
}

__global__ void two_arrays(int* out) {
  __shared__ int a[32];
  __shared__ int b[32];
  const int t = threadIdx.x;
  a[t] = b[t] = t;
  __syncthreads();
  out[t] = a[t + 4] + b[t];  // threads 28 to 31 read past the end of a
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  scratch<<<1, 64, 64 * sizeof(int)>>>(out);
  scratch<<<1, 64, 32 * sizeof(int)>>>(out);  // room for 32, 64 are used
  two_arrays<<<1, 32>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
