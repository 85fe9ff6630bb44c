// SPDX-License-Identifier: Apache-2.0
//
// Two extern __shared__ arrays, which are one memory: of the first kernel both are meant to hold values at once, of the
// second one after the other.
#include <cstdio>
#include <cstring>

__global__ void both(const int* in, float* out) {
  extern __shared__ int keys[];
  extern __shared__ float weights[];
  keys[threadIdx.x] = in[threadIdx.x];
  weights[threadIdx.x] = 0.5f;
  __syncthreads();
  out[threadIdx.x] = weights[threadIdx.x] * keys[63 - threadIdx.x];
}

__global__ void in_turn(const int* in, float* out) {
  extern __shared__ int keys[];
  extern __shared__ float weights[];
  keys[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int key = keys[63 - threadIdx.x];
  __syncthreads();
  weights[threadIdx.x] = 0.5f * key;
  __syncthreads();
  out[threadIdx.x] = weights[63 - threadIdx.x];
}

int main(int, char** arguments) {
  int* in;
  float* out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(int));
  if (std::strcmp(arguments[1], "both") == 0) both<<<1, 64, 256>>>(in, out);
  if (std::strcmp(arguments[1], "turn") == 0) in_turn<<<1, 64, 256>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
